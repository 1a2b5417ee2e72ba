const megabyte = 1024 * 1024;

interface Kind {
  kind: string;
  maxBytes: number;
}

const office = 'application/vnd.openxmlformats-officedocument';

/** What may be uploaded, and how large. */
const kinds = new Map<string, Kind>([
  ...['image/jpeg', 'image/png'].map((mime) => [mime, { kind: 'image', maxBytes: 5 * megabyte }] as const),
  ...['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'].map(
    (mime) => [mime, { kind: 'audio', maxBytes: 16 * megabyte }] as const,
  ),
  ...['video/mp4', 'video/3gpp'].map((mime) => [mime, { kind: 'video', maxBytes: 16 * megabyte }] as const),
  ...[
    'text/plain',
    'application/pdf',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    `${office}.wordprocessingml.document`,
    `${office}.spreadsheetml.sheet`,
    `${office}.presentationml.presentation`,
  ].map((mime) => [mime, { kind: 'document', maxBytes: 100 * megabyte }] as const),
  ['image/webp', { kind: 'sticker', maxBytes: 500 * 1024 }],
]);

const bare = (mimeType: string): string => mimeType.split(';')[0]!.trim().toLowerCase();

/** `image`, `video` …: the message type that carries such a file; undefined for what the platform does not take. */
export const kindOfMedia = (mimeType: string): string | undefined => kinds.get(bare(mimeType))?.kind;

export const maxBytesOf = (mimeType: string): number => kinds.get(bare(mimeType))?.maxBytes ?? 0;

export const acceptedTypes = (): string[] => [...kinds.keys()];

const startsWith = (...bytes: number[]) => {
  return (file: Buffer) => file.subarray(0, bytes.length).equals(Buffer.from(bytes));
};

/** How a file of that type begins, where that is plain to see. */
const beginnings: Readonly<Record<string, (file: Buffer) => boolean>> = {
  'image/jpeg': startsWith(0xff, 0xd8, 0xff),
  'image/png': startsWith(0x89, 0x50, 0x4e, 0x47),
  'application/pdf': startsWith(0x25, 0x50, 0x44, 0x46),
  'audio/ogg': startsWith(0x4f, 0x67, 0x67, 0x53),
  'image/webp': (file) => file.subarray(8, 12).toString('latin1') === 'WEBP',
  'video/mp4': (file) => file.subarray(4, 8).toString('latin1') === 'ftyp',
};

/** Whether the content is what the type says. */
export const contentFits = (mimeType: string, bytes: Buffer): boolean => beginnings[bare(mimeType)]?.(bytes) ?? true;
