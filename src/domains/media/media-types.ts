/** What the platform takes, and how much of it. */

export const mediaTypes = ['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER'] as const;
export type MediaType = (typeof mediaTypes)[number];

const office = 'application/vnd.openxmlformats-officedocument';

const mimeTypes: Record<MediaType, string[]> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4', 'video/3gpp'],
  AUDIO: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  DOCUMENT: [
    'text/plain',
    'application/pdf',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    `${office}.wordprocessingml.document`,
    `${office}.spreadsheetml.sheet`,
    `${office}.presentationml.presentation`,
  ],
  STICKER: ['image/webp'],
};

const byMimeType = new Map(mediaTypes.flatMap((type) => mimeTypes[type].map((mimeType) => [mimeType, type] as const)));

/** The type of message that carries such a file; undefined for what the platform does not take. */
export const mediaTypeOf = (mimeType: string): MediaType | undefined => byMimeType.get(mimeType);

const megabytes = (count: number) => ({ mostBytes: count * 1024 * 1024, inWords: `${count} MB` });
const kilobytes = (count: number) => ({ mostBytes: count * 1024, inWords: `${count} KB` });

export const mostBytesOfAll = megabytes(100).mostBytes;

const limits: Record<MediaType, { mostBytes: number; inWords: string }> = {
  IMAGE: megabytes(5),
  VIDEO: megabytes(16),
  AUDIO: megabytes(16),
  DOCUMENT: megabytes(100),
  STICKER: kilobytes(100),
};
const animatedSticker = kilobytes(500);

const names: Record<MediaType, string> = {
  IMAGE: 'an image',
  VIDEO: 'a video',
  AUDIO: 'an audio file',
  DOCUMENT: 'a document',
  STICKER: 'a sticker',
};

export const notA = (type: MediaType): string => `This file is not ${names[type]}.`;

/** Why a file of that size is too large; undefined when it is not. */
export function whyTooLarge(type: MediaType, size: number, isAnimated: boolean): string | undefined {
  const { mostBytes, inWords } = isAnimated ? animatedSticker : limits[type];
  if (size <= mostBytes) return undefined;
  const name = type === 'STICKER' ? `${isAnimated ? 'an animated' : 'a static'} sticker` : names[type];
  return `Ensure the file has no more than ${inWords}, the limit of ${name}.`;
}

/** Other names of the same types, as browsers and tools write them. */
const aliases = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/x-aac', 'audio/aac'],
  ['audio/opus', 'audio/ogg'],
  ['application/ogg', 'audio/ogg'],
  ['video/3gp', 'video/3gpp'],
]);

/** The type without parameters, under its usual name. */
export function plainMimeType(mimeType: string): string {
  const bare = mimeType.split(';')[0]!.trim().toLowerCase();
  return aliases.get(bare) ?? bare;
}
