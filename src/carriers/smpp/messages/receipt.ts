import type { PduOf } from '../codec/index.ts';

/** SMPP 3.4, 5.2.28; the first and the last are 5.0's. The place is the number. */
export const messageStates = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVERED',
  'EXPIRED',
  'DELETED',
  'UNDELIVERABLE',
  'ACCEPTED',
  'UNKNOWN',
  'REJECTED',
  'SKIPPED',
] as const;
export type MessageState = (typeof messageStates)[number];

/** What a centre says about a message it took. */
export interface DeliveryReceipt {
  /** As the centre wrote it; compare by `normalisedIds`. '' where it names none. */
  id: string;
  state: MessageState;
  /** The word of the text (`DELIVRD`); '' without one. */
  stat: string;
  /** The centre's own code; '' without one. */
  err: string;
  /** What the network said, where the centre tells. */
  networkError: { type: number; code: number } | null;
  /** Read as UTC, though a centre may mean its own time zone: good for order and display, not for arithmetic. */
  submittedAt: Date | null;
  doneAt: Date | null;
}

/** How the words begin: most centres cut them to seven letters, and some have words of their own. */
const byWord: Record<string, MessageState> = {
  SCH: 'SCHEDULED',
  ENR: 'ENROUTE',
  DELIV: 'DELIVERED',
  EXP: 'EXPIRED',
  DELET: 'DELETED',
  UND: 'UNDELIVERABLE',
  FAI: 'UNDELIVERABLE',
  ACC: 'ACCEPTED',
  UNK: 'UNKNOWN',
  REJ: 'REJECTED',
  SKI: 'SKIPPED',
};

/** Bits 5 to 2 of esm_class: a receipt, or a word on the way to one. */
const isReceiptClass = (esmClass: number): boolean => [0x04, 0x20].includes(esmClass & 0x3c);

/** The receipt in a message from the centre; null when it is no receipt but something a person wrote. */
export function readReceipt(pdu: PduOf<'deliver_sm'> | PduOf<'data_sm'>): DeliveryReceipt | null {
  const { esm_class: esmClass, tlvs } = pdu;
  const tellsByTlv = tlvs.receipted_message_id !== undefined && tlvs.message_state !== undefined;
  if (!isReceiptClass(esmClass) && !tellsByTlv) return null;
  const text = textOf(pdu);
  const stat = fieldOf(text, 'stat');
  return {
    id: tlvs.receipted_message_id || fieldOf(text, 'id'),
    state: messageStates[tlvs.message_state ?? -1] ?? stateOf(stat),
    stat,
    err: fieldOf(text, 'err'),
    networkError: networkErrorOf(tlvs.network_error_code),
    submittedAt: dateOf(fieldOf(text, 'submit date')),
    doneAt: dateOf(fieldOf(text, 'done date')),
  };
}

/** Octets for letters, whatever data_coding says: it often repeats that of the message. Real UCS-2 has a NUL beside each letter. */
function textOf(pdu: PduOf<'deliver_sm'> | PduOf<'data_sm'>): string {
  const short = pdu.command === 'deliver_sm' && pdu.short_message.length > 0 ? pdu.short_message : undefined;
  const octets = short ?? pdu.tlvs.message_payload ?? Buffer.alloc(0);
  const hasHeader = (pdu.esm_class & 0x40) !== 0 && octets.length > 0;
  return octets
    .subarray(hasHeader ? octets[0]! + 1 : 0)
    .toString('latin1')
    .replaceAll('\0', '');
}

/** SMPP 3.4, appendix B; names in any case, and a space after the colon happens. `text:` is last and holds whatever people write. */
function fieldOf(text: string, name: string): string {
  const head = text.replace(/\btext:.*$/is, '');
  return new RegExp(`(?:^|[\\s,;])${name}: ?([^\\s,;]+)`, 'i').exec(head)?.[1] ?? '';
}

const stateOf = (stat: string): MessageState =>
  Object.entries(byWord).find(([word]) => stat.toUpperCase().startsWith(word))?.[1] ?? 'UNKNOWN';

const networkErrorOf = (octets: Buffer | undefined): DeliveryReceipt['networkError'] =>
  octets ? { type: octets[0]!, code: octets.readUInt16BE(1) } : null;

/** `YYMMDDhhmm`, with seconds or with a whole year at some centres. */
function dateOf(digits: string): Date | null {
  const match = /^(20)?(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/.exec(digits);
  if (!match) return null;
  const [, , year, month, day, hour, minute, second = '00'] = match;
  const date = new Date(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The one form under which an id is kept: centres change case and leading zeros between the answer and the receipt. */
export const canonicalId = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');

/** Longer ones are no numbers, and nobody writes them in another base. */
const longestNumber = 32;

/**
 * The canonical forms of a message that a receipt may be about, the likeliest first: as written, and the same number in the
 * other base, for centres that answer in hexadecimal and report in decimal, or the other way round.
 */
export function normalisedIds(id: string): string[] {
  const canonical = canonicalId(id);
  const forms = [canonical];
  if (canonical.length <= longestNumber) {
    if (/^\d+$/.test(canonical)) forms.push(BigInt(canonical).toString(16));
    if (/^[0-9a-f]+$/.test(canonical)) forms.push(BigInt(`0x${canonical}`).toString());
  }
  return [...new Set(forms)];
}
