import { type Fields, invalid } from '../graph/checks.ts';
import { contentFits, kindOfMedia } from '../media/kinds.ts';
import type { Sim } from '../sim.ts';
import type { PhoneNumber } from '../world.ts';
import type { Failure } from './statuses.ts';

interface Asset {
  kind: string;
  path: string;
  id?: string;
  link?: string;
}

const kinds = ['image', 'video', 'audio', 'document', 'sticker'];

/** Refuses unknown media ids at once; what turns out to be of the wrong kind or cannot be fetched fails later. */
export function checkAssets(sim: Sim, number: PhoneNumber, body: Fields, header: string | undefined): Failure | null {
  const assets = findAssets(body, '');
  for (const { kind, path, id, link } of assets) {
    if (link !== undefined && sim.settings.brokenLinks.includes(link)) {
      return { code: 131053, details: `Downloading media from weblink failed with http code 404: ${link}` };
    }
    if (id === undefined) continue;
    const media = sim.world.media.get(id);
    if (!media || media.numberId !== number.id || media.expires <= sim.time.now()) {
      throw invalid(`Param ${path}['id'] is not a valid whatsapp business account media attachment ID`);
    }
    if (kindOfMedia(media.mimeType) !== kind || !contentFits(media.mimeType, media.bytes)) {
      return { code: 131053, details: `Media of type ${media.mimeType} cannot be sent as ${header ?? kind}.` };
    }
  }
  return null;
}

/** Every `image`, `video` … object of a message, wherever it stands. */
function findAssets(value: unknown, path: string): Asset[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findAssets(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => {
    const inner = path === '' ? key : `${path}['${key}']`;
    const isAsset = kinds.includes(key) && typeof held === 'object' && held !== null;
    return isAsset ? [{ ...(held as object), kind: key, path: inner }] : findAssets(held, inner);
  });
}
