import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A square of dark and light fields as PNG (RFC 2083) of `size` points, or as many as there are fields. All fields are
 * equally large and as large as fits; what is over is light and lies around them.
 */
export function encodePng(fields: boolean[][], size: number): Buffer {
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
