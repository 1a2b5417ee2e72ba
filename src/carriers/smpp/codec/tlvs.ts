/** A PDU that we were asked to send and that the protocol has no form for. Nothing of it was sent. */
export class FieldError extends Error {
  override name = 'FieldError';
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
  }
}

/** The octets a C-octet string takes with its NUL. Letters are octets: Latin-1, so that whatever comes can be sent back. */
export function lengthOfCstring(name: string, text: string, size: number): number {
  const { length } = text;
  if (length >= size) throw new FieldError(name, `has ${length} characters; at most ${size - 1} fit.`);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0 || code > 0xff) throw new FieldError(name, `holds a character that is no octet other than NUL.`);
  }
  return length + 1;
}

/** Strings here are short: a loop is faster than a call of the buffer's own writer. */
export function writeCstring(buffer: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let index = 0; index < length; index++) buffer[at + index] = text.charCodeAt(index);
  buffer[at + length] = 0;
  return at + length + 1;
}

type Kind = 'u8' | 'u16' | 'u32' | 'cstring' | 'octets';
type Entry = readonly [tag: number, kind: Kind, size?: number];

/** Optional parameters by name (SMPP 3.4, section 5.3.2, and those of 5.0 that carriers use). Sizes count the NUL. */
const known = {
  dest_addr_subunit: [0x0005, 'u8'],
  dest_network_type: [0x0006, 'u8'],
  dest_bearer_type: [0x0007, 'u8'],
  dest_telematics_id: [0x0008, 'u16'],
  source_addr_subunit: [0x000d, 'u8'],
  source_network_type: [0x000e, 'u8'],
  source_bearer_type: [0x000f, 'u8'],
  source_telematics_id: [0x0010, 'u8'],
  qos_time_to_live: [0x0017, 'u32'],
  payload_type: [0x0019, 'u8'],
  additional_status_info_text: [0x001d, 'cstring', 256],
  receipted_message_id: [0x001e, 'cstring', 65],
  ms_msg_wait_facilities: [0x0030, 'u8'],
  privacy_indicator: [0x0201, 'u8'],
  source_subaddress: [0x0202, 'octets'],
  dest_subaddress: [0x0203, 'octets'],
  user_message_reference: [0x0204, 'u16'],
  user_response_code: [0x0205, 'u8'],
  source_port: [0x020a, 'u16'],
  destination_port: [0x020b, 'u16'],
  sar_msg_ref_num: [0x020c, 'u16'],
  language_indicator: [0x020d, 'u8'],
  sar_total_segments: [0x020e, 'u8'],
  sar_segment_seqnum: [0x020f, 'u8'],
  sc_interface_version: [0x0210, 'u8'],
  callback_num_pres_ind: [0x0302, 'u8'],
  callback_num_atag: [0x0303, 'octets'],
  number_of_messages: [0x0304, 'u8'],
  callback_num: [0x0381, 'octets'],
  dpf_result: [0x0420, 'u8'],
  set_dpf: [0x0421, 'u8'],
  ms_availability_status: [0x0422, 'u8'],
  network_error_code: [0x0423, 'octets', 3],
  message_payload: [0x0424, 'octets'],
  delivery_failure_reason: [0x0425, 'u8'],
  more_messages_to_send: [0x0426, 'u8'],
  message_state: [0x0427, 'u8'],
  congestion_state: [0x0428, 'u8'],
  ussd_service_op: [0x0501, 'octets', 1],
  billing_identification: [0x060b, 'octets'],
  source_network_id: [0x060d, 'cstring', 65],
  dest_network_id: [0x060e, 'cstring', 65],
  display_time: [0x1201, 'u8'],
  sms_signal: [0x1203, 'u16'],
  ms_validity: [0x1204, 'u8'],
  alert_on_message_delivery: [0x130c, 'octets'],
  its_reply_type: [0x1380, 'u8'],
  its_session_info: [0x1383, 'octets', 2],
} as const satisfies Record<string, Entry>;

type Values = { u8: number; u16: number; u32: number; cstring: string; octets: Buffer };
type KnownTlvs = { -readonly [Name in keyof typeof known]?: Values[(typeof known)[Name][1]] };

/** Known tags by their names; all others, and known ones of a wrong length, as they came under their number. */
export type Tlvs = KnownTlvs & { [tag: number]: Buffer };

export const tlvNames = Object.keys(known) as (keyof typeof known)[];
const byName = new Map<string, Entry>(Object.entries(known));
const byTag = new Map(Object.entries<Entry>(known).map(([name, entry]) => [entry[0], { name, entry }]));
const widths = { u8: 1, u16: 2, u32: 4 };

export const tlvEntry = (name: string): Entry | undefined => byName.get(name);
export const isKnownTag = (tag: number): boolean => byTag.has(tag);

/** How many octets they take; refuses what has no form. */
export function lengthOfTlvs(tlvs: Tlvs): number {
  let length = 0;
  for (const name in tlvs) {
    const value = tlvs[name as keyof Tlvs];
    if (value !== undefined) length += 4 + lengthOfValue(name, value);
  }
  return length;
}

function lengthOfValue(name: string, value: Buffer | number | string): number {
  const [, kind, size] = byName.get(name) ?? unnamed(name);
  if (kind === 'octets') {
    const { length } = value as Buffer;
    if (size !== undefined && length !== size) throw new FieldError(name, `must have ${size} octets, not ${length}.`);
    if (length > 0xffff) throw new FieldError(name, `has ${length} octets; at most 65535 fit.`);
    return length;
  }
  if (kind === 'cstring') return lengthOfCstring(name, value as string, size!);
  const width = widths[kind];
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= 256 ** width)
    throw new FieldError(name, `${value} is not a number of ${width} octets.`);
  return width;
}

function unnamed(name: string): Entry {
  const tag = Number(name);
  if (!Number.isInteger(tag) || tag < 0 || tag > 0xffff) throw new FieldError(name, 'is no tag.');
  return [tag, 'octets'];
}

/** Their lengths have been checked. */
export function writeTlvs(buffer: Buffer, at: number, tlvs: Tlvs): number {
  let offset = at;
  for (const name in tlvs) {
    const value = tlvs[name as keyof Tlvs] as Buffer | number | string | undefined;
    if (value === undefined) continue;
    const [tag, kind] = byName.get(name) ?? unnamed(name);
    const start = offset + 4;
    let end: number;
    if (kind === 'octets') end = start + (value as Buffer).copy(buffer, start);
    else if (kind === 'cstring') end = writeCstring(buffer, start, value as string);
    else end = buffer.writeUIntBE(value as number, start, widths[kind]);
    buffer.writeUInt16BE(tag, offset);
    buffer.writeUInt16BE(end - start, offset + 2);
    offset = end;
  }
  return offset;
}

/** Up to the end of the buffer; a sentence when they do not fit it. */
export function readTlvs(buffer: Buffer, at: number): Tlvs | string {
  const tlvs: Record<string | number, Buffer | number | string> = {};
  let offset = at;
  while (offset < buffer.length) {
    if (offset + 4 > buffer.length) return 'ends within an optional parameter';
    const tag = buffer.readUInt16BE(offset);
    const start = offset + 4;
    const end = start + buffer.readUInt16BE(offset + 2);
    if (end > buffer.length)
      return `the optional parameter 0x${tag.toString(16).padStart(4, '0')} is longer than the PDU`;
    const named = byTag.get(tag);
    const value = named && readValue(buffer, start, end, named.entry);
    if (named && value !== undefined) tlvs[named.name] = value;
    else tlvs[tag] = buffer.subarray(start, end);
    offset = end;
  }
  return tlvs as Tlvs;
}

function readValue(buffer: Buffer, start: number, end: number, [, kind, size]: Entry) {
  const length = end - start;
  if (kind === 'octets') return size === undefined || length === size ? buffer.subarray(start, end) : undefined;
  if (kind !== 'cstring') return length === widths[kind] ? buffer.readUIntBE(start, length) : undefined;
  // Some centres leave the NUL out.
  const nul = buffer.subarray(start, end).indexOf(0);
  const last = nul < 0 ? end : start + nul;
  return last - start < size! ? buffer.toString('latin1', start, last) : undefined;
}
