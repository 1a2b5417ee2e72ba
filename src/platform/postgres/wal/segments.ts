/**
 * PostgreSQL numbers every byte of its write-ahead log (WAL) and keeps them in files of 16 MiB, the segments. The name of a segment is its
 * timeline and its number in hexadecimal: 000000010000000000000002.
 */
export const segmentBytes = 16n * 1024n * 1024n;

const segmentsPerLog = 0x1_0000_0000n / segmentBytes;
const segmentName = /^[0-9A-F]{24}$/;
/** The segment that is being received: renamed when it is full. */
export const partial = '.partial';

/** A position as PostgreSQL writes it, such as 0/2000028. */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const writePosition = (position: bigint): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();

export const segmentStart = (position: bigint): bigint => position - (position % segmentBytes);

/** The name of the segment that holds a position. */
export function nameOf(timeline: number, position: bigint): string {
  const number = position / segmentBytes;
  const parts = [BigInt(timeline), number / segmentsPerLog, number % segmentsPerLog];
  return parts
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase();
}

export const isSegmentName = (name: string): boolean => segmentName.test(name);

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** The position of the first byte of a segment. */
export function startOf(name: string): bigint {
  const log = BigInt(`0x${name.slice(8, 16)}`);
  const number = BigInt(`0x${name.slice(16, 24)}`);
  return (log * segmentsPerLog + number) * segmentBytes;
}

/** The segment that follows. */
export const after = (name: string): string => nameOf(timelineOf(name), startOf(name) + segmentBytes);
