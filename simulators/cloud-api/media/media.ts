import { createHash } from 'node:crypto';
import type { Call } from '../graph/call.ts';
import { invalid } from '../graph/checks.ts';
import { GraphError, unknownObject } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import { dayMs, type Media } from '../world.ts';
import { acceptedTypes, kindOfMedia, maxBytesOf } from './kinds.ts';

/** A link to the bytes lives five minutes. */
const linkMs = 5 * 60_000;

/** Keeps a file for some days: 30 for uploads, 7 for what people send. */
export function addMedia(sim: Sim, numberId: string, mimeType: string, bytes: Buffer, days: number): Media {
  const media: Media = {
    id: sim.ids.object(),
    numberId,
    mimeType,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes,
    expires: new Date(sim.time.now().getTime() + days * dayMs),
  };
  sim.world.media.set(media.id, media);
  return media;
}

/** `POST /{phone-number-id}/media`: file, type and messaging_product, as multipart; the last may stand in the query. */
export function uploadMedia(sim: Sim, call: Call) {
  const parts = call.form();
  const field = (name: string) => parts.find((part) => part.name === name);
  const product = field('messaging_product')?.content.toString() ?? call.query.get('messaging_product');
  if (product !== 'whatsapp') {
    throw new GraphError(100, undefined, { message: '(#100) The parameter messaging_product is required.' });
  }
  const file = field('file');
  if (!file || file.filename === null) throw invalid('The parameter file is required.');
  // The part's own type wins; `type` is what clients give whose part says only that it is bytes.
  const declared = field('type')?.content.toString();
  const mimeType = kindOfMedia(file.type) && file.type !== 'text/plain' ? file.type : (declared ?? file.type);
  if (!kindOfMedia(mimeType)) {
    throw invalid(
      `Param file must be a file with one of the following types: ${acceptedTypes().join(', ')}. Received file of type '${mimeType}'.`,
    );
  }
  if (file.content.length === 0) throw invalid('The file is empty.');
  if (file.content.length > maxBytesOf(mimeType)) {
    throw invalid(
      `File of type ${mimeType} is limited to ${maxBytesOf(mimeType)} bytes, ${file.content.length} received.`,
    );
  }
  return { id: addMedia(sim, call.id, mimeType, file.content, 30).id };
}

/** The file, unless it is gone or belongs to another number than the caller named. */
function mediaOf(sim: Sim, call: Call): Media {
  const media = sim.world.media.get(call.id)!;
  const wanted = call.query.get('phone_number_id');
  if (media.expires <= sim.time.now() || (wanted !== null && wanted !== media.numberId)) {
    throw unknownObject(call.id, call.method.toLowerCase());
  }
  return media;
}

export function getMedia(sim: Sim, call: Call) {
  const media = mediaOf(sim, call);
  return {
    messaging_product: 'whatsapp',
    url: urlOfMedia(sim, media),
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: String(media.bytes.length),
    id: media.id,
  };
}

export function deleteMedia(sim: Sim, call: Call) {
  sim.world.media.delete(mediaOf(sim, call).id);
  return { success: true };
}

/** Good for five minutes, with the token. */
export const urlOfMedia = (sim: Sim, { id, sha256 }: Media): string =>
  `${sim.origin()}/whatsapp_business/attachments/?mid=${id}&ext=${sim.time.now().getTime() + linkMs}&hash=${sha256.slice(0, 16)}`;

/** The bytes behind such a link; undefined when it is stale or forged. */
export function openMediaUrl(sim: Sim, query: URLSearchParams): Media | undefined {
  const media = sim.world.media.get(query.get('mid') ?? '');
  const fresh = Number(query.get('ext')) > sim.time.now().getTime();
  return media && fresh && query.get('hash') === media.sha256.slice(0, 16) ? media : undefined;
}
