import type { Deps } from '../../deps.ts';
import { erasedKey } from './erased.ts';
import { hashOptOuts } from './queries.ts';

/** Keeps what a person opted out of under a hash. There is no moment at which it does not hold. */
export const eraseOptOuts = (
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  accountId: string,
  digits: string,
): Promise<number> => hashOptOuts(db, accountId, { digits, hash: erasedKey(vault, accountId, digits) });
