/** Where this server has a file that was uploaded to it: a browser that is signed in can load it. */
const addressOf = (uuid: string): string => `/v2/chatapp/template-media/${uuid}/content/`;

interface File {
  media_uuid?: string;
  [field: string]: unknown;
}

/** A file with the address it is at, where a message names it by its uuid. */
export const withAddress = (file: File): Record<string, unknown> =>
  file.media_uuid === undefined ? file : { ...file, url: addressOf(file.media_uuid) };

const fileKinds = new Set(['image', 'video', 'document']);

/** A header as it stands in messages: `{type, [type]: …}`. */
export function headerWithAddress(header: { type: string; [kind: string]: unknown } | undefined) {
  if (!header) return null;
  const { type } = header;
  return fileKinds.has(type) ? { ...header, [type]: withAddress(header[type] as File) } : header;
}
