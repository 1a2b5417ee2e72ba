import type { OutboundMessage } from '../../ports/chat.ts';
import { Unsendable } from './checks.ts';

/** A file as the API names it: by its address, by one of ours, or by the platform's own id. */
export interface FileRef {
  url?: string;
  link?: string;
  id?: string;
  media_uuid?: string;
  caption?: string;
  filename?: string;
}

const captioned = ['image', 'video', 'document'];

/** A file as the platform names it, with the words that may stand beside one of its kind. */
export function assetOf(kind: string, file: FileRef, known: OutboundMessage['carrierIds']) {
  const { caption, filename } = file;
  return {
    ...whereOf(file, known),
    ...(caption && captioned.includes(kind) && { caption }),
    ...(filename && kind === 'document' && { filename }),
  };
}

function whereOf({ url, link, id, media_uuid }: FileRef, known: OutboundMessage['carrierIds']) {
  if (id !== undefined) return { id };
  if (media_uuid === undefined) return { link: url ?? link };
  const uploaded = known.get(media_uuid.toLowerCase());
  if (uploaded === undefined) throw new Unsendable('media_unknown', 'The file is not known to the platform.');
  return { id: uploaded };
}
