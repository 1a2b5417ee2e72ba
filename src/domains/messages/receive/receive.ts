import type { InboundMessage, Receipt } from '../../../carriers/ports/inbox.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import type { ChatappAccount } from '../../chatapp-accounts/index.ts';
import { type InboundFile, inboundMediaUrl, noteInbound } from '../../media/index.ts';
import { describe } from '../../outbox/index.ts';
import { announce, type WebhookEvent } from '../../webhooks/index.ts';
import { moveMessages } from '../deliver/move.ts';
import type { MessageRow } from '../queries.ts';
import { presentMessage } from '../schemas.ts';
import { findByCarrierIds, insertReceived, type ReceivedMessage, reserveIds } from './inbound-queries.ts';
import { addressOf, findNumbers, noteWriters } from './people.ts';

/** A message that a person wrote to one of an account's senders. */
export interface Arrival {
  sender: Pick<ChatappAccount, 'uuid' | 'chatapp_number' | 'digits'>;
  message: InboundMessage;
  /** The launch of a campaign that it answers. */
  campaignLog?: string | undefined;
}

/** The same, stored. */
export interface Received extends Arrival {
  row: MessageRow;
}

/** A message that is about to be stored, with what others need to say what it belongs to. */
export interface Incoming {
  uuid: string;
  type: string;
  sender: Arrival['sender'];
  fromDigits: string;
  content: object;
  /** Our uuid of the message it quotes. */
  quoted: string | undefined;
}

/** Adds to `context_data` of messages that belong to something, such as an intro, beside what the carrier told. */
export type FindContext = (incoming: Incoming[]) => Promise<Map<Incoming, object>>;

/**
 * Stores what people wrote, in the caller's transaction. The carrier's id makes each message one message, however often it comes.
 * Answers those that are new, in the order in which they came.
 */
export async function receiveMessages(
  deps: Deps,
  accountId: string,
  arrivals: Arrival[],
  findContext: FindContext = async () => new Map(),
): Promise<Received[]> {
  if (arrivals.length === 0) return [];
  const candidates = (await identify(deps, accountId, arrivals)).map((arrival) => ({
    ...arrival,
    uuid: newId(),
    chatappAccount: arrival.sender.uuid,
    carrierId: arrival.message.id,
  }));
  // In a common order, so that two processes with the same messages cannot wait for each other in a circle.
  const fresh = await reserveIds(deps.db, accountId, candidates.toSorted(byCarrierId));
  const arrived = candidates.filter(({ uuid }) => fresh.has(uuid));
  return arrived.length === 0 ? [] : store(deps, accountId, arrived, findContext);
}

type Candidate = Arrival & { uuid: string; chatappAccount: string; carrierId: string; from: string };

/** Gives each message its address. A person whose number is hidden may be known by it from before. */
async function identify({ db }: Deps, accountId: string, arrivals: Arrival[]): Promise<(Arrival & { from: string })[]> {
  const hidden = arrivals.flatMap(({ sender, message: { from } }) =>
    from.number === null ? [{ chatappAccount: sender.uuid, userId: from.userId! }] : [],
  );
  const numbers = await findNumbers(db, accountId, hidden);
  return arrivals.map((arrival) => {
    const { number, userId } = arrival.message.from;
    return { ...arrival, from: number ?? numbers.get(arrival.sender.uuid + userId) ?? addressOf(arrival.message.from) };
  });
}

async function store(
  deps: Deps,
  accountId: string,
  arrived: Candidate[],
  findContext: FindContext,
): Promise<Received[]> {
  const { db } = deps;
  const sinceMs = exactMs();
  const quoted = await findByCarrierIds(
    db,
    accountId,
    arrived.flatMap(({ message: { quotes } }) => (quotes && 'carrierId' in quotes ? [quotes.carrierId] : [])),
  );
  const incoming = arrived.map((arrival) => incomingOf(arrival, quotedBy(arrival.message, quoted)));
  const contexts = await findContext(incoming);
  const rows = arrived.map((arrival, index) => ({
    ...rowOf(accountId, arrival, incoming[index]!, contexts.get(incoming[index]!)),
    message_data: contentOf(deps, arrival, incoming[index]!),
  }));
  const moment = await insertReceived(db, rows);
  await noteInbound(
    deps,
    arrived.flatMap((arrival) => fileOf(accountId, arrival)),
  );
  const received = arrived.map(({ sender, message, campaignLog }, index) => ({
    sender,
    message,
    campaignLog,
    row: receivedRow(rows[index]!, moment),
  }));
  await noteWriters(
    db,
    accountId,
    arrived.map(({ uuid, chatappAccount, from, message }) => ({
      message: uuid,
      chatappAccount,
      number: from,
      userId: message.from.userId,
      name: message.name,
      at: message.at,
    })),
  );
  await announce(
    db,
    deps,
    received.flatMap(({ row }) => eventsOf(accountId, row)),
  );
  deps.observer.steps(
    'message',
    received.map(({ row }) => row),
    sinceMs,
  );
  return received;
}

const quotedBy = ({ quotes }: InboundMessage, known: Map<string, string>): string | undefined =>
  quotes && ('uuid' in quotes ? quotes.uuid : known.get(quotes.carrierId));

const incomingOf = ({ uuid, sender, from, message }: Candidate, quoted: string | undefined): Incoming => ({
  uuid,
  type: message.type,
  sender,
  fromDigits: phoneDigits(from),
  content: message.content,
  quoted,
});

function rowOf(accountId: string, candidate: Candidate, { quoted, fromDigits }: Incoming, context: object = {}) {
  const { sender, message, uuid, from, carrierId, campaignLog } = candidate;
  const named = quoted === undefined || message.type === 'REACTION' ? {} : { message_uuid: quoted };
  return {
    account_id: accountId,
    uuid,
    chatapp_account: sender.uuid,
    type: message.type,
    chatapp_number: sender.chatapp_number,
    from_chatapp_number: from,
    from_digits: fromDigits,
    to_digits: sender.digits,
    context_data: { ...named, ...message.context, ...context },
    carrier_id: carrierId,
    campaign_log: campaignLog ?? null,
  };
}

/** The content as it came, except that a reaction names our message, and a file has an address of ours. */
function contentOf({ config }: Deps, { message, uuid }: Candidate, { quoted }: Incoming): object {
  const { type, content, mediaId } = message;
  if (type === 'REACTION')
    return { reaction: { ...(quoted && { message_uuid: quoted }), ...(content['reaction'] as object) } };
  if (mediaId === undefined) return content;
  return { ...content, media: { url: inboundMediaUrl(config, uuid), ...(content['media'] as object) } };
}

function fileOf(accountId: string, { message, uuid, chatappAccount }: Candidate): InboundFile[] {
  if (message.mediaId === undefined) return [];
  const { mime_type, filename, sha256 } = message.content['media'] as Partial<Record<string, string>>;
  const file = { mimeType: mime_type ?? '', filename: filename ?? '', sha256: sha256 ?? null };
  return [{ accountId, message: uuid, chatappAccount, carrierMediaId: message.mediaId, ...file }];
}

/** What webhooks are told: the message as the API shows it, and the answers of a flow for themselves. */
function eventsOf(accountId: string, row: MessageRow): WebhookEvent[] {
  const message = presentMessage(row);
  const answered = flowAnswerOf(row.message_data as object);
  return [
    { accountId, type: 'chatapp.message.received', data: message },
    ...(answered ? [{ accountId, type: 'chatapp.flow.answered' as const, data: { ...answered, message } }] : []),
  ];
}

/** The flow that an inbound message answers; undefined for any other message. */
export function flowAnswerOf(
  messageData: object,
): { flow_token: string; answers: Record<string, unknown> } | undefined {
  const { interactive } = messageData as {
    interactive?: { nfm_reply?: { flow_token?: string; answers?: Record<string, unknown> } };
  };
  const reply = interactive?.nfm_reply;
  return reply && { flow_token: reply.flow_token ?? '', answers: reply.answers ?? {} };
}

const receivedRow = (message: ReceivedMessage, moment: string): MessageRow => ({
  ...message,
  to_chatapp_number: message.chatapp_number,
  direction: 'INBOUND',
  status: 'RECEIVED',
  status_description: '',
  meta_data: {},
  created: moment,
  modified: moment,
});

const byCarrierId = (a: { carrierId: string }, b: { carrierId: string }): number =>
  a.carrierId < b.carrierId ? -1 : 1;

/** Stores what carriers report about messages. */
export const applyReceipts = (deps: Deps, receipts: Receipt[]): Promise<void> =>
  moveMessages(
    deps,
    receipts.map((receipt) => ({
      accountId: receipt.accountId,
      uuid: receipt.messageUuid,
      status: receipt.status,
      description: describe(receipt),
      failureCode: receipt.status === 'FAILED' ? receipt.code : undefined,
      carrierMessageId: receipt.carrierMessageId,
      data: { carrier_at: receipt.at.toISOString() },
      source: 'receipt',
    })),
  );
