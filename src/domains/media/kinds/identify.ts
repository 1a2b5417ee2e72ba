import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { isAnimatedWebp, isSoundOnly, officeTypeOf } from './containers.ts';
import { type MediaType, mediaTypeOf, plainMimeType } from './types.ts';

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
