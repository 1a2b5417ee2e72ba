/** Small files of every kind, made by hand from what their formats prescribe. */
import { crc32, deflateSync } from 'node:zlib';

const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const le32 = (value: number): Buffer => Buffer.from(be32(value)).reverse();
const le16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([ascii(type), data]);
  return Buffer.concat([be32(data.length), body, be32(crc32(body))]);
};
export const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  pngChunk('IHDR', Buffer.concat([be32(1), be32(1), Buffer.from([8, 2, 0, 0, 0])])),
  pngChunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
  pngChunk('IEND', Buffer.alloc(0)),
]);

export const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  ascii('JFIF\0'),
  Buffer.from([1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9]),
]);

const riff = (chunk: Buffer): Buffer => Buffer.concat([ascii('RIFF'), le32(chunk.length + 4), ascii('WEBP'), chunk]);
export const webp = riff(Buffer.concat([ascii('VP8L'), le32(8), Buffer.from([0x2f, 0, 0, 0, 0, 0, 0, 0])]));
export const animatedWebp = riff(Buffer.concat([ascii('VP8X'), le32(10), Buffer.from([0x02, ...Array(9).fill(0)])]));

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([be32(body.length + 8), ascii(type), body]);
};
const track = (handler: string): Buffer => box('trak', box('mdia', box('hdlr', Buffer.alloc(8), ascii(handler))));
const movie = (brand: string, ...handlers: string[]): Buffer =>
  Buffer.concat([
    box('ftyp', ascii(brand), be32(512), ascii(brand)),
    box('mdat', Buffer.alloc(64)),
    box('moov', ...handlers.map(track)),
  ]);
export const mp4 = movie('isom', 'soun', 'vide');
/** What many telephones make of speech: sound under the brand of a video. */
export const speechMp4 = movie('mp42', 'soun');
export const m4a = movie('M4A ', 'soun');
export const gpp = movie('3gp4', 'soun', 'vide');

const oggPage = (codec: string): Buffer =>
  Buffer.concat([
    ascii('OggS'),
    Buffer.from([0, 2]),
    Buffer.alloc(20),
    Buffer.from([1, 19]),
    ascii(codec.padEnd(8)),
    Buffer.alloc(64),
  ]);
export const opus = oggPage('OpusHead');
export const vorbis = oggPage('\x01vorbis');
export const amr = Buffer.concat([ascii('#!AMR\n'), Buffer.alloc(32)]);
export const aac = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc]), Buffer.alloc(64)]);
/** MPEG 1, layer 3, 128 kbit/s, 44.1 kHz: frames of 417 bytes. */
const mp3Frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
export const mp3 = Buffer.concat([mp3Frame, mp3Frame, mp3Frame]);

export const pdf = ascii('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

/** A ZIP archive without compression. */
function zip(entries: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text);
    const shared = [le16(0), le16(0), le32(0), le32(crc32(data)), le32(data.length), le32(data.length)];
    const header = Buffer.concat([...shared, le16(name.length), le16(0)]);
    const local = Buffer.concat([ascii('PK\x03\x04'), le16(20), header, ascii(name), data]);
    directory.push(
      Buffer.concat([ascii('PK\x01\x02'), le16(20), le16(20), header, Buffer.alloc(10), le32(offset), ascii(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = le16(directory.length);
  const end = [ascii('PK\x05\x06'), le32(0), count, count, le32(central.length), le32(offset), le16(0)];
  return Buffer.concat([...locals, central, ...end]);
}
const office = (kind: string, part: string): Buffer =>
  zip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override ' +
      `PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    '_rels/.rels': '<Relationships/>',
    [part]: '<x/>',
  });
export const docx = office('wordprocessingml.document', 'word/document.xml');
export const xlsx = office('spreadsheetml.sheet', 'xl/workbook.xml');
export const pptx = office('presentationml.presentation', 'ppt/presentation.xml');
export const plainZip = zip({ 'hello.txt': 'Hello' });

/** A compound file (MS-CFB): header, one sector of its table, and a directory of two sectors, the second not beside the first. */
export function compoundFile(stream: string): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const table = Buffer.alloc(512, 0xff);
  // Sector 0 is the table itself, 1 → 3 the directory, 2 free.
  for (const [at, next] of [0xfffffffd, 3, 0xffffffff, 0xfffffffe].entries()) table.writeUInt32LE(next, at * 4);
  const sectorOf = (...names: string[]): Buffer => {
    const sector = Buffer.alloc(512);
    for (const [at, name] of names.entries()) {
      sector.write(name, at * 128, 'utf16le');
      sector.writeUInt16LE((name.length + 1) * 2, at * 128 + 64);
    }
    return sector;
  };
  const first = sectorOf('Root Entry', 'CompObj', 'SummaryInformation', 'DocumentSummaryInformation');
  return Buffer.concat([header, table, first, Buffer.alloc(512), sectorOf(stream)]);
}

/** The file padded with zeros to a size. */
export const padded = (file: Buffer, size: number): Buffer => Buffer.concat([file, Buffer.alloc(size - file.length)]);

/** A form with one file, as the bytes of a request and the type that names their boundary. */
export async function formWith(
  file: Buffer,
  { type = 'application/octet-stream', filename = 'a.bin', fields = {} as Record<string, string> } = {},
): Promise<{ payload: Buffer; contentType: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)], { type }), filename);
  const request = new Response(form);
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    contentType: request.headers.get('content-type') ?? '',
  };
}
