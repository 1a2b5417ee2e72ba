/** Where this server has a file that was uploaded to it: a browser that is signed in can load it. */
const addressOf = (uuid: string): string => `/v2/chatapp/template-media/${uuid}/content/`;

interface File {
  media_uuid?: string;
  link?: string;
  [field: string]: unknown;
}

/** A file with the address it is at, however the message names it. */
export function withAddress(file: File): Record<string, unknown> {
  const url = file.media_uuid === undefined ? file.link : addressOf(file.media_uuid);
  return url === undefined ? file : { ...file, url };
}

const fileKinds = new Set(['image', 'video', 'document']);

/** A header as it stands in messages: `{type, [type]: …}`. */
export function headerWithAddress(header: { type: string; [kind: string]: unknown } | undefined) {
  if (!header) return null;
  const { type } = header;
  return fileKinds.has(type) ? { ...header, [type]: withAddress(header[type] as File) } : header;
}
