import { crc32, deflateSync } from 'node:zlib';
import encodeQr from 'qr';
import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { UuidParams } from '../../../platform/http/openapi/models.ts';
import { findIntro } from '../queries.ts';
import { originOf } from './serve.ts';

export const linkRoutes = [
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/qr/',
    operationId: 'getChatIntroQr',
    summary: 'Get the link of a chat intro as a QR code',
    tag: 'Chat intros',
    scope: 'chatapp:read',
    params: UuidParams,
    query: Type.Object({
      format: Type.Optional(
        Type.Enum(['png', 'svg'], { description: 'Left out: `svg` if `Accept` asks for that alone, else `png`.' }),
      ),
      size: Type.Integer({ minimum: 64, maximum: 2048, default: 512, description: 'Points on each side.' }),
    }),
    responses: { 200: Type.String({ contentMediaType: 'image/png', format: 'binary' }) },
    handler: async ({ deps, accountId, params, query, request }) => {
      const intro = await findIntro(deps.db, accountId, params.uuid);
      if (!intro) throw notFound();
      const link = `${originOf(deps.config, request)}/l/${intro.shortcode}`;
      const { format = preferred(request.headers.accept), size } = query;
      const [type, body] = format === 'svg' ? ['image/svg+xml', qrSvg(link, size)] : ['image/png', qrPng(link, size)];
      return { status: 200, body, headers: { 'content-type': type, 'cache-control': 'private, no-cache' } };
    },
  }),
];

const preferred = (accept = ''): 'png' | 'svg' =>
  accept.includes('image/svg+xml') && !/image\/(png|\*)|\*\/\*/.test(accept) ? 'svg' : 'png';

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

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A square of dark and light fields as PNG (RFC 2083) of `size` points, or as many as there are fields. All fields are
 * equally large and as large as fits; what is over is light and lies around them.
 */
function encodePng(fields: boolean[][], size: number): Buffer {
  const edge = Math.max(size, fields.length);
  const scale = Math.floor(edge / fields.length);
  const margin = Math.floor((edge - fields.length * scale) / 2);
  const blank = rowOf(edge, [], 0, 0);
  const rows = fields.flatMap((row) => Array<Buffer>(scale).fill(rowOf(edge, row, margin, scale)));
  const below = edge - margin - rows.length;
  const picture = [...Array<Buffer>(margin).fill(blank), ...rows, ...Array<Buffer>(below).fill(blank)];
  return Buffer.concat([
    signature,
    chunk('IHDR', headerOf(edge)),
    chunk('IDAT', deflateSync(Buffer.concat(picture))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function headerOf(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  // One bit per point; greyscale, compression, filter and interlacing are 0.
  header[8] = 1;
  return header;
}

/** One row of points, 1 for light; the byte before them names the filter, and 0 is none. */
function rowOf(edge: number, fields: boolean[], margin: number, scale: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(edge / 8), 0xff);
  row[0] = 0;
  fields.forEach((dark, index) => {
    if (!dark) return;
    const start = margin + index * scale;
    for (let x = start; x < start + scale; x++) row[1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
  });
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
