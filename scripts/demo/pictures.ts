import { crc32, deflateSync } from 'node:zlib';

/** Files to show and send: a house as a PNG, a price list as a PDF; drawn here, so that nothing need be stored. */

type Colour = readonly [red: number, green: number, blue: number];
const [width, height] = [640, 360];

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** A house in front of a hill; its walls and roof tell one listing from another. */
export function house(walls: Colour, roof: Colour): Buffer {
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y, walls, roof), y * (1 + 3 * width) + 1 + 3 * x);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const image = chunk('IDAT', deflateSync(rows));
  return Buffer.concat([signature, chunk('IHDR', header), image, chunk('IEND', Buffer.alloc(0))]);
}

function colourAt(x: number, y: number, walls: Colour, roof: Colour): Colour {
  const isIn = (left: number, top: number, right: number, bottom: number) =>
    x >= left && x < right && y >= top && y < bottom;
  const isWindow = [200, 300, 400].some((left) => isIn(left, 190, left + 50, 240)) || isIn(200, 265, 250, 310);
  if (isIn(390, 262, 440, 330)) return [92, 64, 51];
  if (isWindow) return [232, 240, 248];
  if (isIn(170, 160, 470, 330)) return walls;
  // The roof: as wide as it is far below its ridge.
  if (y >= 80 && y < 160 && Math.abs(x - 320) < 30 + (y - 80) * 1.9) return roof;
  if (isIn(405, 70, 435, 130)) return roof;
  if (y > 270 + 40 * Math.sin(x / 110)) return [126, 168, 96];
  return [186 + Math.floor(y / 8), 214 + Math.floor(y / 12), 240];
}

export const brick: Colour = [178, 96, 76];
export const slate: Colour = [74, 84, 98];
export const cream: Colour = [240, 228, 200];
export const clay: Colour = [170, 84, 60];

/** One page that says one line (ISO 32000-1, 7.5). */
export function pdf(line: string): Buffer {
  const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
