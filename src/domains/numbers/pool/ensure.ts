import { hash } from 'node:crypto';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js';
import type { Carriers } from '../../../carriers/ports/carriers.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { addRanges, listSources, saveSources } from './queries.ts';

/**
 * Puts what the carriers offer into the pool. Runs at every start: when no carrier's ranges changed since the last one, it
 * costs one small query. Numbers that a carrier no longer offers stay, as somebody may have them.
 */
export async function ensureNumberPool(db: Db, carriers: Carriers): Promise<void> {
  const known = new Map((await listSources(db)).map((source) => [source.carrier, source.checksum]));
  const changed = carriers
    .all()
    .map((carrier) => ({ carrier: carrier.name, ranges: carrier.numberRanges ?? [] }))
    .map((offer) => ({ ...offer, checksum: hash('sha256', JSON.stringify(offer.ranges)) }))
    .filter((offer) => offer.ranges.length > 0 && known.get(offer.carrier) !== offer.checksum);
  if (changed.length === 0) return;

  const ranges = changed.flatMap(({ carrier, ranges }) =>
    ranges.map((range) => ({
      ...range,
      carrier,
      codeLength: getCountryCallingCode(range.country as CountryCode).length,
    })),
  );
  await inTransaction(db, async (db) => {
    await addRanges(db, ranges);
    await saveSources(
      db,
      changed.map(({ carrier, checksum }) => ({ carrier, checksum })),
    );
  });
}
