import { createHash } from 'node:crypto';
import type { Log } from '../../../platform/log.ts';
import { readPart } from '../../../platform/sms-parts/index.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import type { SmsEvent } from '../../ports/sms.ts';
import type { PduOf } from '../codec/index.ts';
import type { Ids } from './ids.ts';
import { type DeliveryReceipt, type MessageState, readReceipt } from './receipt.ts';

export type Incoming = PduOf<'deliver_sm'> | PduOf<'data_sm'>;

type MessageEvent = Extract<SmsEvent, { kind: 'message' }>;

/** What a PDU of the centre's says; undefined when it is of no use to anybody: a receipt that names no message. */
export function eventOf(pdu: Incoming, ids: Ids, at: Date, connectedMs: number): SmsEvent | undefined {
  const receipt = readReceipt(pdu);
  if (!receipt) return messageOf(pdu, at, connectedMs);
  return receipt.id === '' ? undefined : receiptOf(pdu, receipt, ids, at);
}

const states: Record<MessageState, 'SENT' | 'DELIVERED' | 'FAILED'> = {
  SCHEDULED: 'SENT',
  ENROUTE: 'SENT',
  DELIVERED: 'DELIVERED',
  EXPIRED: 'FAILED',
  DELETED: 'FAILED',
  UNDELIVERABLE: 'FAILED',
  // The specification says "read by an operator", which happens nowhere; centres send it for messages that they have taken.
  ACCEPTED: 'SENT',
  UNKNOWN: 'FAILED',
  REJECTED: 'FAILED',
  SKIPPED: 'FAILED',
};

const sentences: Partial<Record<MessageState, string>> = {
  EXPIRED: 'The message could not be delivered in time.',
  DELETED: 'The carrier deleted the message.',
  UNDELIVERABLE: 'The message could not be delivered.',
  UNKNOWN: 'The carrier does not know what became of the message.',
  REJECTED: 'The message was refused by the network.',
  SKIPPED: 'The carrier skipped the message.',
};

function receiptOf(pdu: Incoming, receipt: DeliveryReceipt, ids: Ids, at: Date): SmsEvent {
  const { state, stat } = receipt;
  // An unknown status says nothing about the final outcome.
  const isMade = state === 'UNKNOWN' && pdu.tlvs.message_state === undefined && !/^UNK/i.test(stat);
  const status = isMade ? 'SENT' : states[state];
  return {
    kind: 'receipt',
    id: ids.reported(receipt.id),
    status,
    ...(status === 'FAILED' && { code: stat || state, description: describe(receipt) }),
    // The receipt travels the other way.
    about: { from: destinationOf(pdu), to: sourceOf(pdu) },
    // The centre's dates are in a time zone of its own.
    at,
  };
}

function describe({ state, err, networkError }: DeliveryReceipt): string {
  const error = /[1-9a-z]/i.test(err) ? err : networkError?.code;
  return `${sentences[state] ?? state}${error ? ` Error ${error} of the network.` : ''}`;
}

function messageOf(pdu: Incoming, at: Date, connectedMs: number): MessageEvent {
  const short = pdu.command === 'deliver_sm' && pdu.short_message.length > 0 ? pdu.short_message : undefined;
  const octets = short ?? pdu.tlvs.message_payload ?? Buffer.alloc(0);
  const { text, body, binary, concatenation } = readPart(pdu.esm_class, pdu.data_coding, octets);
  const part = partIn(pdu, concatenation);
  const isLong = part !== undefined && part.total > 1;
  // A centre that names what it brings does so in the receipt's field; most do not.
  const id = pdu.tlvs.receipted_message_id || null;
  return {
    kind: 'message',
    id,
    from: sourceOf(pdu),
    to: destinationOf(pdu),
    text,
    encoding: binary ? 'BINARY' : segmentText(text).encoding,
    ...(isLong && { part: { ...part, raw: { dataCoding: pdu.data_coding, body } } }),
    // A part that comes twice is known by its number.
    ...(id === null && !isLong && { mark: { fingerprint: fingerprintOf(pdu, octets), connectedMs } }),
    at,
  };
}

/** The same for the same PDU, whatever its sequence number. */
const fingerprintOf = (pdu: Incoming, octets: Buffer): string =>
  createHash('sha256')
    .update(JSON.stringify([pdu.source_addr, pdu.destination_addr, pdu.esm_class, pdu.data_coding]))
    .update(octets)
    .digest('base64url');

/** References of 8 bits, of 16 bits and of optional parameters are counted apart: each gets a range of its own. */
function partIn({ tlvs }: Incoming, header: ReturnType<typeof readPart>['concatenation']) {
  if (header) {
    const { reference, bits, total, sequence } = header;
    return { reference: bits === 8 ? reference : 0x10000 + reference, total, part: sequence };
  }
  const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: part } = tlvs;
  if (reference === undefined || total === undefined || part === undefined) return undefined;
  return part >= 1 && part <= total ? { reference: 0x20000 + reference, total, part } : undefined;
}

const sourceOf = (pdu: Incoming): string => partyOf({ ton: pdu.source_addr_ton, text: pdu.source_addr });
const destinationOf = (pdu: Incoming): string => partyOf({ ton: pdu.dest_addr_ton, text: pdu.destination_addr });

/** How the API writes what a centre wrote: international numbers with their plus, all else as it is. */
const partyOf = ({ ton, text }: { ton: number; text: string }): string =>
  ton === 1 && /^\d+$/.test(text) ? `+${text}` : text;

/** PDUs that are stored together. */
export const mostTogether = 200;

/**
 * Brings in what a link hears. What comes while a batch is being stored waits and goes with the next; each is
 * acknowledged when its own is stored. When a batch cannot be stored its events go one by one, so that one that can never
 * be stored is the only one that comes again.
 */
export function makeIntake(receive: (events: SmsEvent[]) => Promise<unknown>, log: Log) {
  const batches = makeBatches({ largest: mostTogether, inFlight: 1 });

  async function store(events: SmsEvent[]): Promise<PromiseSettledResult<void>[]> {
    try {
      await receive(events);
      return events.map(() => ({ status: 'fulfilled', value: undefined }));
    } catch (error) {
      if (events.length === 1) throw error;
      log.warn({ error: (error as Error).message }, 'What came over a link could not be stored together');
    }
    const results: PromiseSettledResult<void>[] = [];
    for (const event of events) results.push(...(await Promise.allSettled([receive([event]).then(() => {})])));
    return results;
  }

  return (event: SmsEvent): Promise<void> => batches.run('intake', event, store);
}
