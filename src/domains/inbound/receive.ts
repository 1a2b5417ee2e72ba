import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { countReplies, findLaunchesOf } from '../campaigns/index.ts';
import { findReferred, setQuality } from '../chatapp-accounts/index.ts';
import { applyFlowEvents } from '../flows/index.ts';
import { noticeInbound } from '../insights/index.ts';
import { contextsOf, findMeant, introduce, type Meant } from '../intros/index.ts';
import { type Arrival, applyReceipts, type Received, receiveMessages, renamePerson } from '../messages/index.ts';
import type { Said } from '../optouts/index.ts';
import { applyTemplateEvents } from '../templates/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { heedChat } from './keywords.ts';
import { routeLater } from './route.ts';

type Kind = InboundEvent['kind'];
type EventOf<K extends Kind> = Extract<InboundEvent, { kind: K }>;

/**
 * Hands each event of an account to its owner, in one transaction. Events of one kind go together, in the order in which they
 * came; messages go first, so that what else is said about a person finds them. `lateSince`: they came then, and what came after
 * them may have been received before. Answers the new messages among them.
 */
export const receiveEvents = (
  deps: Deps,
  accountId: string,
  carrier: string,
  events: InboundEvent[],
  { lateSince }: { lateSince?: Date } = {},
): Promise<Received[]> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const said = { carrier, ...(lateSince && { before: lateSince }) };
    const sendersOf = await findReferred(
      deps,
      accountId,
      carrier,
      events.map(({ sender }) => sender),
    );
    const known = events.filter(({ sender }) => sendersOf(sender).length > 0);
    const of = <K extends Kind>(kind: K) => known.filter((event): event is EventOf<K> => event.kind === kind);
    const senderOf = (event: InboundEvent) => sendersOf(event.sender)[0]!;

    const arrivals = of('message').map((message) => ({ sender: senderOf(message), message }));
    let meant: Meant = new Map();
    const received = await receiveMessages(
      deps,
      accountId,
      await attribute(db, accountId, arrivals),
      async (incoming) => {
        meant = await findMeant(deps, accountId, incoming);
        return contextsOf(incoming, meant);
      },
    );
    await handOn(deps, accountId, said, received, known, meant);
    const uuidsOf = (event: InboundEvent) => sendersOf(event.sender).map(({ uuid }) => uuid);
    await applyTemplateEvents(
      deps,
      accountId,
      of('template').map((event) => ({ ...event, chatappAccounts: uuidsOf(event) })),
    );
    await applyFlowEvents(
      deps,
      accountId,
      of('flow').map((event) => ({ ...event, chatappAccounts: uuidsOf(event) })),
    );
    for (const { sender, before, after } of of('person')) {
      for (const { uuid } of sendersOf(sender)) await renamePerson(db, accountId, uuid, before, after);
    }
    for (const event of of('quality')) await setQuality(deps, accountId, senderOf(event).uuid, event.quality);
    await appendEvents(
      db,
      of('notice').map((event) => ({
        accountId,
        subjectType: 'chatapp_account',
        subject: senderOf(event).uuid,
        kind: `platform.${event.title}`,
        data: event.data,
      })),
    );
    // What counts comes last: others wait for the counts until this ends.
    await applyReceipts(
      deps,
      of('receipt').map((receipt) => ({ ...receipt, accountId })),
    );
    await countAnswers(db, accountId, received);
    return received;
  });

/** What people send that nobody answers, and that is not sent on. */
const silent: ReadonlySet<string> = new Set(['REACTION', 'SYSTEM', 'UNSUPPORTED']);

/**
 * Hands messages on to those who may want them: first what is about hearing from us, then intros, then routing. `meant` says
 * which intros and sessions they are meant for.
 */
async function handOn(
  deps: Deps,
  accountId: string,
  said: Said,
  received: Received[],
  events: InboundEvent[],
  meant: Meant,
): Promise<void> {
  const others = await heedChat(deps, accountId, said, received, events, meant);
  await noticeInbound(deps, accountId, 'CHATAPP', others.map(heardOf));
  const forOthers = await introduce(deps, accountId, others, meant);
  await routeLater(
    deps,
    accountId,
    'CHATAPP',
    forOthers.filter(({ row }) => !silent.has(row.type)).map(({ row }) => row.uuid),
  );
}

const heardOf = ({ row, sender }: Received) => ({
  uuid: row.uuid,
  number: row.chatapp_number,
  person: row.from_chatapp_number,
  numberDigits: sender.digits,
  personDigits: phoneDigits(row.from_chatapp_number),
  text: textOf(row.message_data as object),
  at: row.created,
  wantsAnswer: !silent.has(row.type),
});

const textOf = ({ text, media }: { text?: { body?: string }; media?: { caption?: string } }): string =>
  text?.body ?? media?.caption ?? '';

/** Notes of each message which launch of a campaign it answers, if any. */
async function attribute(db: Db, accountId: string, arrivals: Arrival[]): Promise<Arrival[]> {
  const writers = arrivals.flatMap((arrival) => {
    const { number } = arrival.message.from;
    if (number === null) return [];
    const [sender, digits] = [arrival.sender.digits, phoneDigits(number)];
    return [{ accountId, channel: 'CHATAPP' as const, sender, digits, arrival }];
  });
  if (writers.length === 0) return arrivals;
  const launches = new Map([...(await findLaunchesOf(db, writers))].map(([{ arrival }, log]) => [arrival, log]));
  return arrivals.map((arrival) => ({ ...arrival, campaignLog: launches.get(arrival) }));
}

/** Counts those who answered. */
const countAnswers = (db: Db, accountId: string, received: Received[]): Promise<void> =>
  countReplies(
    db,
    received.flatMap(({ campaignLog, row }) =>
      campaignLog === undefined ? [] : [{ accountId, campaignLog, digits: phoneDigits(row.from_chatapp_number) }],
    ),
  );
