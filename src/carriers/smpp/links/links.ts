import type { Log } from '../../../platform/log.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { OnRequest } from '../../ports/carriers.ts';
import type { SmsInbox, SmsLink } from '../../ports/sms.ts';
import { type Ids, makeIds } from '../messages/ids.ts';
import { eventOf, type Incoming, makeIntake, mostTogether } from '../messages/receive.ts';
import type { Timing } from '../session/session.ts';
import { type Link, startLink } from './link.ts';
import { isSameLink, type LinkPlan, planOf } from './settings.ts';

/** What a link may have before it, in time at its present rate. */
const backlogMs = 200;

/** A link whose lease this process has. */
export interface OwnLink {
  asked: SmsLink;
  plan: LinkPlan;
  link: Link;
  ids: Ids;
  /** Parts that were given to it and have not ended. */
  inHand: { parts: number };
}

export interface LinksDeps {
  clock: Clock;
  log: Log;
  random?(): number;
  timing?: Timing;
  /** Is told of each submit_sm, when it was answered. */
  onRequest?: OnRequest | undefined;
}

/** The links of this process, by uuid: opened and closed as they are asked for. */
export function makeLinks({ clock, log, random, timing }: LinksDeps) {
  let wanted = new Map<string, SmsLink>();
  let inbox: SmsInbox;
  const open = new Map<string, OwnLink>();
  /** Links that are taking leave. Their successors wait: most centres allow one bind at a time. */
  const leaving = new Map<string, Promise<void>>();

  function start(asked: SmsLink): void {
    const plan = planOf(asked);
    const ids = makeIds(plan.idFormat);
    const takeIn = makeIntake((events) => inbox.receive(asked, events), log);
    const link = startLink({
      name: asked.name,
      peer: {
        ...plan.peer,
        // A host that moved while it was connected is looked for at its new address the next time.
        get host() {
          return planOf(wanted.get(asked.uuid) ?? asked).peer.host;
        },
      },
      binds: plan.binds,
      perSecond: asked.messagesPerSecond,
      session: { ...plan.session, hands: mostTogether },
      log,
      ...(random && { random }),
      ...(timing && { timing }),
      async handle(pdu) {
        const event = eventOf(pdu as Incoming, ids, clock.now(), link.receivingMs());
        if (event) await takeIn(event);
        else log.warn({ link: asked.name }, 'A receipt that names no message was dropped');
        return undefined;
      },
    });
    open.set(asked.uuid, { asked, plan, link, ids, inHand: { parts: 0 } });
  }

  async function close({ asked: { uuid, name }, link }: OwnLink): Promise<void> {
    open.delete(uuid);
    const left = link.stop();
    leaving.set(uuid, left);
    // A link that fails to unbind is closed all the same, and the new one is opened.
    await left.catch((error) => log.warn({ err: error, link: name }, 'A link did not close properly'));
    leaving.delete(uuid);
    const successor = wanted.get(uuid);
    if (successor) start(successor);
  }

  const isUp = (uuid: string): boolean => open.get(uuid)?.link.isUp() ?? false;

  function room(uuid: string): number {
    const one = open.get(uuid);
    if (!one || !isUp(uuid)) return 0;
    const perSecond = one.link.perSecond() ?? one.asked.messagesPerSecond;
    const most = Math.max(2 * one.plan.session.window, (perSecond * backlogMs) / 1000);
    const free = Math.floor(most - one.inHand.parts);
    // A handful at a time would cost a transaction each.
    return free >= most / 2 ? free : 0;
  }

  function isOutdated({ asked }: OwnLink): boolean {
    const next = wanted.get(asked.uuid);
    return !next || !isSameLink(asked, next);
  }

  return {
    get: (uuid: string): OwnLink | undefined => open.get(uuid),
    isUp,
    room,
    /** Returns when the links that are not wanted any more are closed; one that changed is opened anew in its own time. */
    async keepOpen(links: SmsLink[], to: SmsInbox): Promise<void> {
      inbox = to;
      wanted = new Map(links.map((link) => [link.uuid, link]));
      for (const one of open.values()) if (isOutdated(one)) void close(one);
      for (const link of links) if (!open.has(link.uuid) && !leaving.has(link.uuid)) start(link);
      await Promise.all([...leaving].filter(([uuid]) => !wanted.has(uuid)).map(([, left]) => left));
    },
    async stop(): Promise<void> {
      wanted = new Map();
      for (const one of open.values()) void close(one);
      await Promise.all(leaving.values());
    },
  };
}
