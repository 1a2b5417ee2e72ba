import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { findReferred, setQuality } from '../chatapp-accounts/index.ts';
import { applyFlowEvents } from '../flows/index.ts';
import { contextsOf, findMeant, type Meant } from '../intros/index.ts';
import { applyReceipts, type Received, receiveMessages, renamePerson } from '../messages/index.ts';
import { applyTemplateEvents } from '../templates/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { attribute, countAnswers } from './answers.ts';
import { handOn } from './chat.ts';

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
