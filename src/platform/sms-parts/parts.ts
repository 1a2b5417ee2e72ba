import type { Segmented } from '../sms-text/index.ts';
import { decodeGsm7, encodeGsm7 } from './gsm7.ts';

/** The count in the header is an octet. */
export const mostParts = 255;

/** The flag of esm_class that says that the body begins with a user data header (SMPP 3.4, 5.2.12). */
const udhIndicator = 0x40;

/** One short message: `bytes` is its header, where it is one of several, and its text. */
export interface OutboundPart {
  bytes: Buffer;
  /** 0: GSM-7, a septet per byte. 8: UTF-16, high byte first. */
  dataCoding: 0 | 8;
  esmClass: number;
}

/** The short messages a text is sent in. Parts of one text share the reference, of which the low bits are used. */
export function partsOf({ encoding, segments, referenceBits }: Segmented, reference: number): OutboundPart[] {
  const total = segments.length;
  if (total > mostParts) throw new RangeError(`A text has at most ${mostParts} parts, not ${total}.`);
  const dataCoding = encoding === 'GSM7' ? 0 : 8;
  return segments.map((segment, index) => {
    const body = encoding === 'GSM7' ? encodeGsm7(segment)! : encodeUcs2(segment);
    if (total === 1) return { bytes: body, dataCoding, esmClass: 0 };
    const header = headerOf(reference, referenceBits, total, index + 1);
    return { bytes: Buffer.concat([header, body]), dataCoding, esmClass: udhIndicator };
  });
}

const encodeUcs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** Its length, one information element (0: concatenated short message, 8: with a 16-bit reference), the element's length and data. */
function headerOf(reference: number, bits: 8 | 16, total: number, sequence: number): Buffer {
  if (bits === 8) return Buffer.from([5, 0x00, 3, reference & 0xff, total, sequence]);
  return Buffer.from([6, 0x08, 4, (reference >> 8) & 0xff, reference & 0xff, total, sequence]);
}

/** Which part of which text it is. References of 8 and of 16 bits are counted apart. */
export interface Concatenation {
  reference: number;
  bits: 8 | 16;
  total: number;
  /** From 1. */
  sequence: number;
}

export interface ReceivedPart {
  /** Without the header. */
  body: Buffer;
  text: string;
  /** The body is no text; `text` has its bytes in hexadecimal digits. */
  binary: boolean;
  concatenation: Concatenation | undefined;
}

type Read = (bytes: Uint8Array) => string;

const decoding = (label: string): Read => {
  const decoder = new TextDecoder(label);
  return (bytes) => decoder.decode(bytes);
};
const latin1 = decoding('windows-1252'); // the quotation marks of Windows where Latin-1 has controls that nobody sends
const ucs2 = decoding('utf-16be'); // an octet too many, or half a surrogate pair, becomes U+FFFD
const hexadecimal: Read = (bytes) => Buffer.from(bytes).toString('hex');

/** SMPP 3.4, 5.2.19. Of JIS (5, 10, 13) nobody agrees on the bytes; those stay as they are. */
const readers = new Map<number, Read>([
  [0, decodeGsm7],
  [1, latin1],
  [3, latin1],
  [6, decoding('iso-8859-5')],
  [7, decoding('iso-8859-8')],
  [8, ucs2],
  [14, decoding('euc-kr')],
]);

/** Above 15 the values are those of 3GPP TS 23.038 section 4: flash messages and the like. */
function readerOf(dataCoding: number): Read {
  if (dataCoding < 0x10) return readers.get(dataCoding) ?? hexadecimal;
  // General: two bits for the alphabet, and one for compression, which nobody sends and which stays as it is.
  if (dataCoding < 0x40) return [decodeGsm7, hexadecimal, ucs2][(dataCoding >> 2) & 0b1011] ?? hexadecimal;
  if (dataCoding < 0xc0) return hexadecimal;
  // Message waiting: in GSM-7, and in UCS-2. Then class and alphabet in one.
  if (dataCoding < 0xe0) return decodeGsm7;
  if (dataCoding < 0xf0) return ucs2;
  return (dataCoding & 0b100) === 0 ? decodeGsm7 : hexadecimal;
}

/** What a short message says, be its bytes ever so strange. */
export function readPart(esmClass: number, dataCoding: number, bytes: Buffer): ReceivedPart {
  const claimed = (esmClass & udhIndicator) !== 0 && bytes.length > 0 ? bytes[0]! + 1 : 0;
  // A header longer than the message is none.
  const headerLength = claimed <= bytes.length ? claimed : 0;
  const body = bytes.subarray(headerLength);
  const binary = readerOf(dataCoding) === hexadecimal;
  return {
    body,
    text: readText(dataCoding, body),
    binary,
    concatenation: findConcatenation(bytes.subarray(1, headerLength)),
  };
}

/** NUL, which some peers end a text with, is left out, and halves of characters are replaced: PostgreSQL takes neither. */
const readText = (dataCoding: number, body: Uint8Array): string =>
  readerOf(dataCoding)(body).replaceAll('\0', '').toWellFormed();

/**
 * The text of all parts, in their order. Bytes are joined before they are read: some phones cut between an escape and what it
 * escapes, or through a surrogate pair.
 */
export function joinParts(parts: readonly { dataCoding: number; body: Uint8Array }[]): string {
  let text = '';
  for (let first = 0, next = 0; first < parts.length; first = next) {
    const { dataCoding } = parts[first]!;
    while (next < parts.length && parts[next]!.dataCoding === dataCoding) next++;
    text += readText(dataCoding, Buffer.concat(parts.slice(first, next).map(({ body }) => body)));
  }
  return text;
}

/** The last element counts when there are several, one that makes no sense does not (3GPP TS 23.040, 9.2.3.24). */
function findConcatenation(header: Buffer): Concatenation | undefined {
  let found: Concatenation | undefined;
  for (let at = 0, end = 0; at + 1 < header.length; at = end) {
    end = at + 2 + header[at + 1]!;
    if (end <= header.length) found = readConcatenation(header[at]!, header.subarray(at + 2, end)) ?? found;
  }
  return found;
}

function readConcatenation(element: number, data: Buffer): Concatenation | undefined {
  const bits = element === 0x00 && data.length === 3 ? 8 : element === 0x08 && data.length === 4 ? 16 : undefined;
  if (bits === undefined) return undefined;
  const [total, sequence] = [data.at(-2)!, data.at(-1)!];
  if (sequence === 0 || sequence > total) return undefined;
  return { reference: bits === 8 ? data[0]! : data.readUInt16BE(0), bits, total, sequence };
}
