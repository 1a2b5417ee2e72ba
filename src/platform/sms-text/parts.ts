import { encodeGsm7 } from './gsm7.ts';
import type { Segmented } from './segment.ts';

/** The count in the header is an octet. */
export const mostParts = 255;

/** The flag of esm_class that says that the body begins with a user data header (SMPP 3.4, 5.2.12). */
export const udhIndicator = 0x40;

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
