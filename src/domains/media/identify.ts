import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { type MediaType, mediaTypeOf, plainMimeType } from './media-types.ts';

export interface Identified {
  /** What the file is; '' when that cannot be told. */
  mimeType: string;
  /** undefined: the platform does not take it. */
  mediaType: MediaType | undefined;
  isAnimated: boolean;
}

/** Looks into a file: neither its name nor what its sender says of it counts. */
export async function identify(path: string): Promise<Identified> {
  const file = await open(path);
  try {
    const mimeType = await mimeTypeOf(path, file);
    const isAnimated = mimeType === 'image/webp' && (await isAnimatedWebp(file));
    return { mimeType, mediaType: mediaTypeOf(mimeType), isAnimated };
  } finally {
    await file.close();
  }
}

async function mimeTypeOf(path: string, file: FileHandle): Promise<string> {
  const found = await fileTypeFromFile(path);
  switch (found?.mime) {
    case 'application/x-cfb':
      return (await officeTypeOf(file)) ?? found.mime;
    case 'video/mp4':
      return (await isSoundOnly(file)) ? 'audio/mp4' : found.mime;
    case 'audio/ogg; codecs=opus':
      return 'audio/ogg';
    case 'audio/ogg':
      return 'audio/ogg without Opus';
    case 'video/x-m4v':
      return 'video/mp4';
  }
  const mimeType = found ? plainMimeType(found.mime) : '';
  if (mediaTypeOf(mimeType)) return mimeType;
  // A text may begin like something else: with BM, as a bitmap does, or with BEGIN:VCARD.
  return (await isPlainText(path)) ? 'text/plain' : mimeType;
}

/** UTF-8 throughout, and no control characters but those that lay out a text. */
async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) {
      if (controlCharacter.test(decoder.decode(chunk, { stream: true }))) return false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const controlCharacter = /[^\P{Cc}\t\n\f\r]/u;

/** Formats that hold others: what is inside has to be looked up. All reads are bounded, whatever the file says of itself. */

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  // A size of eight bytes may name a place that no file has.
  if (!Number.isSafeInteger(position)) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}

const mostSectors = 64;

/**
 * Office files before 2007 are compound files (MS-CFB): sectors chained by a table, one chain of them a directory. The name
 * of its main stream tells a text from a sheet from slides.
 */
async function officeTypeOf(file: FileHandle): Promise<string | undefined> {
  const header = await readAt(file, 0, 512);
  if (header.length < 512) return undefined;
  const sectorSize = header.readUInt16LE(30) === 12 ? 4096 : 512;
  const sectorAt = (sector: number): number => (sector + 1) * sectorSize;
  const next = async (sector: number): Promise<number> => {
    const perTable = sectorSize / 4;
    const table = Math.floor(sector / perTable);
    if (table >= 109) return endOfChain;
    const entry = await readAt(file, sectorAt(header.readUInt32LE(76 + table * 4)) + (sector % perTable) * 4, 4);
    return entry.length === 4 ? entry.readUInt32LE() : endOfChain;
  };
  let sector = header.readUInt32LE(48);
  for (let read = 0; read < mostSectors && sector <= lastSector; read++) {
    const entries = await readAt(file, sectorAt(sector), sectorSize);
    for (let at = 0; at + 128 <= entries.length; at += 128) {
      const nameLength = Math.min(Math.max(entries.readUInt16LE(at + 64) - 2, 0), 62);
      const type = officeStreams.get(entries.toString('utf16le', at, at + nameLength));
      if (type) return type;
    }
    sector = await next(sector);
  }
  return undefined;
}

/** Greater numbers mark free sectors and the end of a chain. */
const lastSector = 0xfffffffa;
const endOfChain = 0xfffffffe;

const officeStreams = new Map([
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
]);

const mostBoxes = 1000;
const mostOfMovie = 4 * 1024 * 1024;

/** Whether an MP4 file (ISO 14496-12) has sound and no picture. Telephones record speech under the brand of a video. */
async function isSoundOnly(file: FileHandle): Promise<boolean> {
  let position = 0;
  for (let box = 0; box < mostBoxes; box++) {
    const header = await readAt(file, position, 16);
    if (header.length < 8) return false;
    const size = header.readUInt32BE(0);
    if (header.toString('latin1', 4, 8) === 'moov') {
      const handlers = handlersIn(await readAt(file, position, Math.min(Math.max(size, 8), mostOfMovie)));
      return handlers.includes('soun') && !handlers.includes('vide');
    }
    // 1: the size follows as eight bytes. 0: to the end of the file.
    const whole = size === 1 && header.length === 16 ? Number(header.readBigUInt64BE(8)) : size;
    if (whole < 8) return false;
    position += whole;
  }
  return false;
}

/** The kinds of a movie's tracks: of each `hdlr` box the four letters after its version and a reserved field. */
function handlersIn(movie: Buffer): string[] {
  const found: string[] = [];
  for (let at = movie.indexOf('hdlr'); at >= 0; at = movie.indexOf('hdlr', at + 4)) {
    found.push(movie.toString('latin1', at + 12, at + 16));
  }
  return found;
}

/** Whether a WebP file moves: the flag of its extended header. */
async function isAnimatedWebp(file: FileHandle): Promise<boolean> {
  const header = await readAt(file, 0, 21);
  return header.toString('latin1', 12, 16) === 'VP8X' && ((header[20] ?? 0) & 0x02) !== 0;
}
