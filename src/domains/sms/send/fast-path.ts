import type { Deps } from '../../../deps.ts';
import type { Allowance } from '../../../platform/db/rate.ts';
import { newId } from '../../../platform/ids.ts';
import { isHeld } from '../../accounts/index.ts';
import { priorities } from '../../outbox/index.ts';
import type { Batch } from '../deliver/hand-over.ts';
import type { Claimed, WaitingLink } from '../deliver/queue.ts';
import { forgetInHandAnyAccount, releaseInHandAnyAccount } from '../deliver/states.ts';
import { findCarrier, findOnlyLink } from '../links/links.ts';
import { spendAllowance } from '../links/queries.ts';
import { insertInHand, type QueuedSms } from './accept-queries.ts';

/**
 * The fast path: where an account's only link is up in this process and nobody waits for it, SMS are in its hand as they are
 * accepted, and wait here for delivery to take them. A place in the queue, which costs as much as all else that becomes of an
 * SMS until it is sent, is for those who have to wait. See decisions 15 and 18.
 */
export interface FastPath {
  /** The moment of acceptance; undefined: these have to go the other way. */
  accept(deps: Deps, batch: QueuedSms[]): Promise<string | undefined>;
  /** Links that have some to take. */
  links(): WaitingLink[];
  /** Takes those that came first, and takes them off the link's rate. */
  take(link: WaitingLink, most: number): Promise<Batch | undefined>;
  /** The batches that this process knows of. What it has by the rows alone has to be asked about. */
  known(): string[];
  /** Forgets what has left, and puts those into the queue that were accepted although that seemed to fail. */
  sweep(): Promise<void>;
  /** From now on all go the other way; `last` sees those through that are here and those that are just being accepted. */
  close(last: (batch: Batch) => Promise<void>): Promise<void>;
}

/** SMS that were accepted together. */
interface Handful {
  uuid: string;
  waiting: Claimed[];
  /** How many are still being seen through. */
  open: number;
  /** Some were let go of without states. */
  isLost: boolean;
}

interface Way {
  link: WaitingLink;
  waiting: Handful[];
  /** Parts of them, and of those whose acceptance is under way. */
  parts: number;
  /** The link's rate, as it was last seen: all that leaves by the link leaves here. */
  allowance: Allowance;
  seenMs: number;
}

/** How old what is known of a rate may be that allows nothing. */
const lookAgainMs = 1000;
const mendingMs = 30_000;
/** So long a statement of the carrier's may still be under way in PostgreSQL after its connection broke. */
const lateMs = 5_000;

const placeOf = ({ running }: Deps) => running.of<FastPath>('sms fast path');

/** The fast path of this process, if it delivers. */
export const findFastPath = (deps: Deps): FastPath | undefined => placeOf(deps).get();

export function openFastPath(deps: Deps): FastPath {
  const byLink = new Map<string, Way>();
  const accepting = new Set<Promise<unknown>>();
  /** All batches that were given a row, or may have been, until it is gone or has to be asked about. */
  const known = new Set<string>();
  /** All of these have their states. */
  const through = new Set<string>();
  /** A connection may break, and the statement be committed all the same, then or a little later: until when to look. */
  const lost = new Map<string, number>();
  const nowOf = ({ account_id, carrier }: WaitingLink): Date => deps.carriers.get(carrier).clock(account_id).now();

  const findWay = async (accountId: string, parts: number): Promise<Way | undefined> => {
    if (await isHeld(deps, accountId)) return undefined;
    const only = await findOnlyLink(deps, accountId);
    const sms = only && findCarrier(deps, only.carrier)?.sms;
    if (!only || !sms?.isUp(only)) return undefined;
    const way = byLink.get(only.uuid) ?? (await openWay(linkOf(accountId, only)));
    if (way.parts + parts > sms.room(only)) return undefined;
    const isAllowed = (): boolean => way.parts + parts <= allowedBy(way);
    // What is seldom used, or may be used again, is looked at again.
    if (!isAllowed() && performance.now() - way.seenMs > lookAgainMs) Object.assign(way, await spend(way.link, 0));
    return isAllowed() ? way : undefined;
  };

  const openWay = async (link: WaitingLink): Promise<Way> => {
    const seen = await spend(link, 0);
    // Others may have looked at the same time.
    const way = byLink.get(link.uuid) ?? { link, waiting: [], parts: 0, ...seen };
    byLink.set(link.uuid, way);
    return way;
  };

  const spend = async ({ account_id, uuid }: WaitingLink, parts: number) => ({
    allowance: await spendAllowance(deps.db, account_id, uuid, parts),
    seenMs: performance.now(),
  });

  const insert = async (inside: Deps, batch: QueuedSms[], way: Way, parts: number): Promise<string> => {
    const { link } = way;
    const uuid = newId();
    way.parts += parts;
    known.add(uuid);
    const taker = { uuid, link, workerNumber: inside.listener.workerNumber, now: nowOf(link) };
    const { moment, isInHand } = await insertInHand(inside.db, batch, taker).catch((error) => {
      way.parts -= parts;
      lost.set(uuid, performance.now() + mendingMs);
      throw error;
    });
    if (isInHand) {
      way.waiting.push({ uuid, waiting: batch.map(claimedOf), open: batch.length, isLost: false });
    } else {
      way.parts -= parts;
      known.delete(uuid);
    }
    return moment;
  };

  const take = async ({ uuid }: WaitingLink, most: number): Promise<Batch | undefined> => {
    const way = byLink.get(uuid);
    if (!way || way.waiting.length === 0) return undefined;
    const claimed: Claimed[] = [];
    const taken: [from: Handful, count: number][] = [];
    while (claimed.length < most && way.waiting.length > 0) {
      const first = way.waiting[0]!;
      const some = first.waiting.splice(0, most - claimed.length);
      if (first.waiting.length === 0) way.waiting.shift();
      claimed.push(...some);
      taken.push([first, some.length]);
    }
    const parts = partsOf(claimed);
    // They are in nobody's hands but ours: whatever happens here, they must leave.
    const spent = await spend(way.link, parts).catch((error) =>
      deps.log.warn({ err: error }, 'A rate could not be spent'),
    );
    Object.assign(way, { parts: way.parts - parts, ...spent });
    const end = (isLost: boolean): void => {
      for (const [from, count] of taken) {
        from.open -= count;
        from.isLost ||= isLost;
        // Others of it may still be on their way: until then it is known.
        if (from.open > 0) continue;
        if (from.isLost) setTimeout(() => known.delete(from.uuid), lateMs).unref();
        else through.add(from.uuid);
      }
    };
    const own = { written: () => end(false), letGo: () => end(true) };
    return { link: way.link, claim: 0, claimed, now: nowOf(way.link), inHand: own };
  };

  const sweep = async (): Promise<void> => {
    const { workerNumber } = deps.listener;
    const ended = [...through];
    await forgetInHandAnyAccount(deps.db, workerNumber, ended);
    for (const uuid of ended) {
      through.delete(uuid);
      known.delete(uuid);
    }
    const forget = (uuid: string): void => {
      lost.delete(uuid);
      known.delete(uuid);
    };
    for (const uuid of await releaseInHandAnyAccount(deps.db, workerNumber, [...lost.keys()])) forget(uuid);
    for (const [uuid, untilMs] of lost) if (untilMs < performance.now()) forget(uuid);
  };

  const path: FastPath = {
    async accept(inside, batch) {
      const [{ account_id: accountId }] = batch as [QueuedSms, ...QueuedSms[]];
      if (inside.db.isTransaction || !batch.every((sms) => sms.account_id === accountId && mayLeave(sms)))
        return undefined;
      const parts = partsOf(batch);
      const way = await findWay(accountId, parts);
      if (!way || placeOf(deps).get() !== path) return undefined;
      const inserting = insert(inside, batch, way, parts);
      accepting.add(inserting);
      return inserting.finally(() => accepting.delete(inserting));
    },
    links: () => [...byLink.values()].filter(({ waiting }) => waiting.length > 0).map(({ link }) => link),
    take,
    known: () => [...known],
    sweep,
    async close(last) {
      placeOf(deps).set(undefined);
      await Promise.allSettled(accepting);
      await Promise.all(path.links().map(async (link) => last((await take(link, Number.POSITIVE_INFINITY))!)));
      await sweep();
    },
  };
  placeOf(deps).set(path);
  return path;
}

/** How many parts the rate of a link allows by now. */
const allowedBy = ({ allowance: { available, perSecond }, seenMs }: Way): number =>
  Math.min(perSecond, available + ((performance.now() - seenMs) / 1000) * perSecond);

/** A campaign's leave after all others, and those that are held or planned have a time of their own. */
const mayLeave = ({ priority, due_at }: QueuedSms): boolean => priority === priorities.own && due_at === '-infinity';

const linkOf = (accountId: string, { uuid, carrier }: { uuid: string; carrier: string }): WaitingLink => ({
  account_id: accountId,
  uuid,
  carrier,
  weight: 1,
  due_at: new Date(0).toISOString(),
});

const partsOf = (some: { segments: number }[]): number => some.reduce((sum, { segments }) => sum + segments, 0);

const claimedOf = ({ uuid, from_number, to_number, text, encoding, segments, ...sms }: QueuedSms): Claimed => ({
  uuid,
  from_number,
  to_number,
  from_digits: sms.from_digits,
  to_digits: sms.to_digits,
  text,
  encoding,
  segments,
  priority: sms.priority,
  attempts: 1,
  give_up_at: null,
  expires_at: sms.expires_at,
  callback_url: sms.callback_url,
  campaign_log: sms.campaign_log,
});
