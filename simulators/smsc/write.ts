import type { Given } from '../../src/carriers/smpp/codec/index.ts';
import type { World } from './world.ts';

/** Something a person writes to a number of ours. */
export interface Written {
  from: string;
  to: string;
  /** Latin-1 where it can be, else UCS-2; or the octets themselves with their data_coding. */
  text?: string;
  hex?: string;
  dataCoding?: number;
  esmClass?: number;
  /** How a text that is too long for one leaves: parts with a header, parts with parameters, or whole. */
  long?: 'udh' | 'sar' | 'payload';
  /** The account that hears of it; the first unless named. */
  systemId?: string;
}

const latin1 = 3;
const ucs2 = 8;
const octetsInOne = 140;
/** After a user data header of six octets. */
const octetsInPart = 134;

/** Sends it; resolves with the answers of the client, one for each part. */
export function write(world: World, written: Written): Promise<(number | null)[]> {
  const systemId = written.systemId ?? world.settings.accounts[0]!.systemId;
  const addresses = {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: written.from.replace(/^\+/, ''),
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: written.to.replace(/^\+/, ''),
  };
  const parts = partsOf(written, world.nextNumber++ & 0xff);
  return Promise.all(parts.map((part) => world.outbox.deliver(systemId, { ...addresses, ...part })));
}

function partsOf({ text = '', hex, dataCoding, esmClass = 0, long = 'udh' }: Written, reference: number) {
  if (hex !== undefined) {
    return [{ data_coding: dataCoding ?? 0, esm_class: esmClass, short_message: Buffer.from(hex, 'hex') }];
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Latin-1 is all of these
  const coding = /^[\x00-\xff]*$/.test(text) ? latin1 : ucs2;
  const octets = coding === latin1 ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16();
  const whole = { data_coding: coding, esm_class: esmClass };
  if (octets.length <= octetsInOne) return [{ ...whole, short_message: octets }];
  if (long === 'payload') return [{ ...whole, tlvs: { message_payload: octets } }];
  const pieces = cut(octets, coding);
  return pieces.map((piece, index): Given<'deliver_sm'> => {
    if (long === 'sar') {
      const sar = { sar_msg_ref_num: reference, sar_total_segments: pieces.length, sar_segment_seqnum: index + 1 };
      return { ...whole, short_message: piece, tlvs: sar };
    }
    const header = Buffer.from([5, 0, 3, reference, pieces.length, index + 1]);
    return { ...whole, esm_class: esmClass | 0x40, short_message: Buffer.concat([header, piece]) };
  });
}

function cut(octets: Buffer, coding: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0, end: number; start < octets.length; start = end) {
    end = Math.min(octets.length, start + octetsInPart);
    // A surrogate pair stays together.
    if (coding === ucs2 && end < octets.length && (octets[end]! & 0xfc) === 0xdc) end -= 2;
    pieces.push(octets.subarray(start, end));
  }
  return pieces;
}
