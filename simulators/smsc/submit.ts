import { encode, type Given, makePdu, type PduOf, Status } from '../../src/carriers/smpp/codec/index.ts';
import type { Answer } from '../../src/carriers/smpp/session/serving.ts';
import { disturb, wait } from './disturb.ts';
import type { Fault } from './faults.ts';
import { formatId, sendReceipts } from './receipts.ts';
import { type Outcome, outcomeFor } from './settings.ts';
import type { Connection, Message, Received, World } from './world.ts';

export type Submit = PduOf<'submit_sm'> | PduOf<'data_sm'>;

export async function takeSubmit(world: World, connection: Connection, pdu: Submit): Promise<Answer | null> {
  const { settings } = world;
  const entry = record(world, connection, pdu);
  const fault = world.faults.pick(pdu.command);
  const outcome = outcomeFor(settings, pdu.destination_addr);
  if (breaksBefore(connection, pdu, fault)) return null;
  const refusal = refusalOf(world, connection, fault, outcome) ?? mistakeIn(pdu);
  if (refusal !== undefined) return answered(entry, { status: refusal });
  entry.message = take(world, outcome, entry.at);
  const answer = { message_id: entry.message.id };
  const reports = wantsReceipt(pdu, outcome) && fault?.kind !== 'no-receipt';
  const first = settings.receiptFirst || fault?.kind === 'receipt-first';
  if (reports && first) sendReceipts(world, entry, fault);
  // What a lost answer was about is delivered all the same.
  if (reports && !first) world.later(settings.receiptAfterMs, () => sendReceipts(world, entry, fault));
  if (settings.answerAfterMs > 0) await wait(world, settings.answerAfterMs);
  const isAnswered = await disturb(world, connection, pdu, fault, answer);
  return isAnswered ? answered(entry, answer) : null;
}

function record(world: World, { systemId }: Connection, pdu: Submit): Received {
  const { command: _, status: __, sequence: ___, ...fields } = pdu;
  const at = new Date(world.timing.nowMs());
  const entry = { at, systemId: systemId!, pdu: fields as Given<'submit_sm'>, status: null, message: null };
  world.received.push(entry);
  if (world.received.length > 2 * world.settings.keep) world.received.splice(0, world.settings.keep);
  return entry;
}

function answered(entry: Received, answer: Answer): Answer {
  entry.status = answer.status ?? 0;
  return answer;
}

/** Faults that leave the message untaken and without an answer of its own. */
function breaksBefore({ session }: Connection, { sequence }: Submit, fault: Fault | undefined): boolean {
  if (fault?.kind === 'drop') session.destroy('A fault of the simulator.');
  if (fault?.kind === 'nack') session.sendRaw(encode(makePdu('generic_nack', { status: Status.RINVCMDID, sequence })));
  return fault !== undefined && ['drop', 'nack', 'hang'].includes(fault.kind);
}

function refusalOf(world: World, { mode }: Connection, fault: Fault | undefined, outcome: Outcome): number | undefined {
  if (mode === 'receiver') return Status.RINVBNDSTS;
  if (fault?.kind === 'status') return fault.status;
  return isTooFast(world) ? Status.RTHROTTLED : outcome.status;
}

/** 160 septets, an octet each; or 140 octets, in which two make a letter of UCS-2. */
const longestOf = (dataCoding: number): number => (dataCoding <= 1 ? 160 : 140);

/** What a phone network could not carry. */
function mistakeIn(pdu: Submit): number | undefined {
  if (pdu.destination_addr === '') return Status.RINVDSTADR;
  if (pdu.command === 'data_sm') return undefined;
  const { short_message: body, data_coding: coding, tlvs } = pdu;
  const isTooLong = body.length > longestOf(coding) || (coding === 8 && body.length % 2 !== 0);
  return isTooLong || (body.length > 0 && tlvs.message_payload) ? Status.RINVMSGLEN : undefined;
}

function isTooFast({ settings, second, timing }: World): boolean {
  const number = Math.floor(timing.nowMs() / 1000);
  if (number !== second.number) Object.assign(second, { number, count: 0 });
  second.count++;
  return settings.perSecond !== null && second.count > settings.perSecond;
}

function take(world: World, { err = '000' }: Outcome, submittedAt: Date): Message {
  const { settings, messages } = world;
  const number = world.nextNumber++;
  const id = formatId(number, settings.idFormat);
  const message: Message = { number, id, state: 'ENROUTE', err, submittedAt, doneAt: null };
  messages.set(id, message);
  if (messages.size > 2 * settings.keep) for (const old of messages.keys().take(settings.keep)) messages.delete(old);
  return message;
}

/** The last bits of registered_delivery: 1 any end, 2 a bad one, 3 a good one. */
function wantsReceipt({ registered_delivery: wanted }: Submit, { state = 'DELIVERED' }: Outcome): boolean {
  const asked = wanted & 0x03;
  if (state === null || asked === 0) return false;
  return asked === 1 || (asked === 3) === (state === 'DELIVERED');
}
