import { longName } from './message.ts';
import { mostOctets } from './parse.ts';

/** Cuts a stream into messages by Content-Length (RFC 3261 18.3). */
export interface Framing {
  /** Whole messages; `ping` for a keep-alive that is to be answered (RFC 5626 4.4.1). Throws when the stream cannot be followed. */
  push(piece: Buffer): (Buffer | 'ping')[];
  /** Octets of a message that is not whole yet. */
  pending(): number;
}

/** Of one message. A peer that sends octets singly would otherwise have each of them cost as much as all before it. */
const mostPieces = 1_000;

export class BrokenStream extends Error {
  override name = 'BrokenStream';
}

export function makeFraming(): Framing {
  let pieces: Buffer[] = [];
  let buffered = 0;
  /** Octets that must be there before it is worth looking again. */
  let needed = 1;
  let inHead = false;
  /** What is buffered is the beginning of a keep-alive, or what remains of one, and no message. */
  let isBlank = true;

  function take(stream: Buffer, frames: (Buffer | 'ping')[]): Buffer {
    let rest = stream;
    needed = 1;
    inHead = false;
    for (;;) {
      if (rest.length === 0) return rest;
      if (rest[0] === 13 || rest[0] === 10) {
        const empty = emptyLines(rest);
        if (empty.length === rest.length && rest.length < 4) return rest;
        if (empty.isPing) frames.push('ping');
        rest = rest.subarray(empty.length);
        continue;
      }
      const length = frameLength(rest);
      if (length === undefined || length > rest.length) {
        needed = length ?? rest.length + 1;
        inHead = length === undefined;
        return rest;
      }
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }

  return {
    push(piece) {
      pieces.push(piece);
      buffered += piece.length;
      if (pieces.length > mostPieces) throw new BrokenStream('A message comes in crumbs.');
      // A head ends with a line: without one in this piece there is nothing new to see.
      if (buffered < needed || (inHead && buffered <= mostOctets && !piece.includes(10))) return [];
      const frames: (Buffer | 'ping')[] = [];
      const rest = take(pieces.length === 1 ? piece : Buffer.concat(pieces), frames);
      pieces = rest.length > 0 ? [rest] : [];
      buffered = rest.length;
      isBlank = rest.every((octet) => octet === 13 || octet === 10);
      return frames;
    },
    pending: () => (isBlank ? 0 : buffered),
  };
}

function emptyLines(octets: Buffer): { length: number; isPing: boolean } {
  let length = 0;
  while (octets[length] === 13 || octets[length] === 10) length++;
  return { length, isPing: octets.subarray(0, length).includes('\r\n\r\n') };
}

/** undefined: the head is not whole yet. */
function frameLength(octets: Buffer): number | undefined {
  const crlf = octets.indexOf('\r\n\r\n');
  const lf = octets.indexOf('\n\n');
  const end = crlf >= 0 && (lf < 0 || crlf < lf) ? crlf + 4 : lf >= 0 ? lf + 2 : -1;
  if (end < 0) {
    if (octets.length > mostOctets) throw new BrokenStream('A head does not end.');
    return undefined;
  }
  const length = end + contentLength(octets.toString('latin1', 0, end));
  if (length > mostOctets) throw new BrokenStream('A message is too large.');
  return length;
}

function contentLength(head: string): number {
  const found = head
    .split('\n')
    .slice(1)
    .map((line) => line.split(':', 2))
    .filter(([name = '', value]) => value !== undefined && longName(name.trim()) === 'content-length');
  const [, value = ''] = found[0] ?? [];
  // On a stream nothing else tells where the next message begins.
  if (found.length !== 1 || !/^\s*\d{1,9}\s*$/.test(value)) throw new BrokenStream('Content-Length cannot be read.');
  return Number(value);
}
