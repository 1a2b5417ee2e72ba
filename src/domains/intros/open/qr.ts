import encodeQr from 'qr';
import { encodePng } from './png.ts';

/** Fields of white around the code: readers look for them (ISO/IEC 18004 asks for four). */
const border = 4;

export const qrPng = (text: string, size: number): Buffer => encodePng(fieldsOf(text), size);

/** Dark on white, whatever lies behind it. */
export function qrSvg(text: string, size: number): string {
  const fields = fieldsOf(text);
  const bars = fields.flatMap((row, y) => barsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"`,
    ` viewBox="0 0 ${fields.length} ${fields.length}" shape-rendering="crispEdges">`,
    `<rect width="100%" height="100%" fill="#fff"/><path d="${bars.join('')}"/></svg>`,
  ].join('');
}

/** Medium correction: a printed code may lose a seventh of itself. */
const fieldsOf = (text: string): boolean[][] => encodeQr(text, 'raw', { ecc: 'medium', border });

/** Where the dark bars of a row begin, and how long they are. */
function barsOf(row: boolean[]): [start: number, length: number][] {
  const bars: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = bars.at(-1);
    if (dark && last && last[0] + last[1] === x) last[1]++;
    else if (dark) bars.push([x, 1]);
  });
  return bars;
}
