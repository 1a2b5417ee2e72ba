import type { Given } from '../../src/carriers/smpp/codec/index.ts';
import { type MessageState, messageStates } from '../../src/carriers/smpp/messages/receipt.ts';
import type { Fault } from './faults.ts';
import { type IdFormat, outcomeFor, type Settings } from './settings.ts';
import type { Message, Received, World } from './world.ts';

export function formatId(number: number, format: IdFormat): string {
  switch (format) {
    case 'decimal':
      return String(number);
    case 'hex':
      return number.toString(16);
    case 'HEX':
      return number.toString(16).toUpperCase();
    case 'padded-hex':
      return number.toString(16).padStart(10, '0');
  }
}

const words: Record<MessageState, string> = {
  SCHEDULED: 'SCHEDUL',
  ENROUTE: 'ENROUTE',
  DELIVERED: 'DELIVRD',
  EXPIRED: 'EXPIRED',
  DELETED: 'DELETED',
  UNDELIVERABLE: 'UNDELIV',
  ACCEPTED: 'ACCEPTD',
  UNKNOWN: 'UNKNOWN',
  REJECTED: 'REJECTD',
  SKIPPED: 'SKIPPED',
};

/** YYMMDDhhmm */
const dateDigits = (date: Date): string => date.toISOString().replaceAll(/\D/g, '').slice(2, 12);

/** The receipt of a message, under the id given (SMPP 3.4, appendix B). */
function composeReceipt(
  settings: Settings,
  submitted: Given<'submit_sm'>,
  message: Message,
  id: string,
): Given<'deliver_sm'> {
  const { receiptForm, receiptEchoesCoding } = settings;
  const { state, err, submittedAt, doneAt } = message;
  const delivered = state === 'DELIVERED' ? '001' : '000';
  const dates = `submit date:${dateDigits(submittedAt)} done date:${dateDigits(doneAt ?? submittedAt)}`;
  const start = (submitted.short_message ?? Buffer.alloc(0)).toString('latin1', 0, 20).replaceAll(/[^ -~]/g, '.');
  const text = `id:${id} sub:001 dlvrd:${delivered} ${dates} stat:${words[state]} err:${err} text:${start}`;
  const tlvs = {
    receipted_message_id: id,
    message_state: messageStates.indexOf(state),
    ...(state !== 'DELIVERED' && { network_error_code: Buffer.from([3, 0, Number(err) & 0xff]) }),
  };
  return {
    source_addr_ton: submitted.dest_addr_ton ?? 0,
    source_addr_npi: submitted.dest_addr_npi ?? 0,
    source_addr: submitted.destination_addr ?? '',
    dest_addr_ton: submitted.source_addr_ton ?? 0,
    dest_addr_npi: submitted.source_addr_npi ?? 0,
    destination_addr: submitted.source_addr ?? '',
    esm_class: 0x04,
    data_coding: receiptEchoesCoding ? (submitted.data_coding ?? 0) : 0,
    short_message: receiptForm === 'tlv' ? Buffer.alloc(0) : Buffer.from(text, 'latin1'),
    ...(receiptForm !== 'text' && { tlvs }),
  };
}

/** Only these can still change. */
const onItsWay: readonly MessageState[] = ['ENROUTE', 'ACCEPTED', 'SCHEDULED'];

/** Decides what became of a message, and tells it. */
export function sendReceipts(world: World, { systemId, pdu, message }: Received, fault: Fault | undefined): void {
  if (!message) return;
  const { settings } = world;
  if (onItsWay.includes(message.state)) {
    message.state = outcomeFor(settings, pdu.destination_addr ?? '').state ?? 'DELIVERED';
    message.doneAt = new Date(world.timing.nowMs());
  }
  const otherBase = settings.idFormat === 'decimal' ? 'HEX' : 'decimal';
  const format = fault?.kind === 'receipt-other-base' ? otherBase : settings.receiptIdFormat;
  const id = format === null ? message.id : formatId(message.number, format);
  const copies = fault?.kind === 'receipt-doubled' ? 2 : settings.receiptCopies;
  const send = (name: string) => void world.outbox.deliver(systemId, composeReceipt(settings, pdu, message, name));
  if (fault?.kind === 'receipt-unknown') send(formatId(message.number + 1_000_000_000, settings.idFormat));
  for (let copy = 0; copy < copies; copy++) send(id);
}
