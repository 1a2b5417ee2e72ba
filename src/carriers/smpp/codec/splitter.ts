import { BadLength } from './errors.ts';
import { headerLength } from './pdu.ts';

/**
 * The largest message_payload has 65,535 octets, and the fields and other parameters beside it need room, so 64 KiB would refuse
 * PDUs that 5.0 allows. Twice that holds them all, and is what one peer can make us keep.
 */
export const longestPdu = 128 * 1024;

/** Cuts a stream into PDUs, whatever the pieces it arrives in. */
export interface Splitter {
  /** The PDUs that end in this piece, header included. Ends with a `BadLength` where the stream cannot be followed any more. */
  push(piece: Buffer): (Buffer | BadLength)[];
}

export function makeSplitter(longest = longestPdu): Splitter {
  // What has come of an unfinished PDU. Joined once, when all of it is there: a peer that sends octet by octet costs no more.
  let pieces: Buffer[] = [];
  let kept = 0;
  let needed = 4;
  let broken = false;

  function keep(piece: Buffer): void {
    pieces.push(piece);
    kept += piece.length;
  }
  function join(): Buffer {
    const joined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, kept);
    pieces = [];
    kept = 0;
    needed = 4;
    return joined;
  }

  return {
    push(piece) {
      if (broken || piece.length === 0) return [];
      keep(piece);
      if (kept < needed) return [];
      const found: (Buffer | BadLength)[] = [];
      const data = join();
      let offset = 0;
      while (data.length - offset >= 4) {
        const length = data.readUInt32BE(offset);
        if (length < headerLength || length > longest) {
          broken = true;
          found.push(new BadLength(length));
          return found;
        }
        if (data.length - offset < length) {
          needed = length;
          break;
        }
        found.push(data.subarray(offset, offset + length));
        offset += length;
      }
      if (offset < data.length) keep(offset === 0 ? data : data.subarray(offset));
      return found;
    },
  };
}
