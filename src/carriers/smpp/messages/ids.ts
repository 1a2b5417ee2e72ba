import type { IdFormat } from '../links/settings.ts';
import { canonicalId } from './receipt.ts';

/** The one spelling under which both an answer's and a receipt's id are known to the product. */
export interface Ids {
  taken(id: string): string;
  reported(id: string): string;
}

type KnownFormat = Exclude<IdFormat, 'auto'>;

/** A receipt's id in the spelling that the answer had. What is no number stays as it is. */
const spellings: Record<KnownFormat, (canonical: string) => string> = {
  same: (id) => id,
  decimal: (id) => (/^\d{1,32}$/.test(id) ? BigInt(id).toString(16) : id),
  hex: (id) => (/^[0-9a-f]{1,32}$/.test(id) ? BigInt(`0x${id}`).toString() : id),
};
const formats = Object.keys(spellings) as KnownFormat[];

/** So many clear cases leave no doubt. */
const enough = 10;

/** About what a busy link sends within the life of its messages; with as many older ones, 20 MB. */
const usuallyRecent = 100_000;

/**
 * Some centres answer in one base and report in the other, and the digits alone do not tell: 10 may be ten or sixteen. Told
 * `auto`, a link remembers what it sent, counts which spelling of the receipts' ids is known, and goes with the majority. A centre
 * that is known to do so is better told: what a process before this one sent is not remembered.
 */
export function makeIds(format: IdFormat, mostRecent = usuallyRecent): Ids {
  if (format !== 'auto') return { taken: canonicalId, reported: (id) => spellings[format](canonicalId(id)) };
  let recent = new Set<string>();
  // Forgotten all at once: a set from which the first is taken again and again looks ever longer for it.
  let older = new Set<string>();
  const isRemembered = (id: string): boolean => recent.has(id) || older.has(id);
  const votes: Record<KnownFormat, number> = { same: 0, decimal: 0, hex: 0 };
  const likeliest = (): KnownFormat => formats.reduce((best, other) => (votes[other] > votes[best] ? other : best));

  return {
    taken(id) {
      const canonical = canonicalId(id);
      if (recent.size >= mostRecent) [older, recent] = [recent, new Set()];
      recent.add(canonical);
      return canonical;
    },
    reported(id) {
      const canonical = canonicalId(id);
      const known = formats.filter((format) => isRemembered(spellings[format](canonical)));
      // Two messages that it could be about prove nothing.
      if (known.length === 1) votes[known[0]!]++;
      const leading = likeliest();
      const format = votes[leading] >= enough || known.includes(leading) ? leading : (known[0] ?? leading);
      return spellings[format](canonical);
    },
  };
}
