import type { Deps } from '../../deps.ts';
import { deleteContact } from './change.ts';
import { findByDigits } from './queries.ts';

/** Removes the contact of a person, and takes them off all lists. */
export async function eraseContact(deps: Deps, accountId: string, digits: string): Promise<number> {
  const uuids = await findByDigits(deps.db, accountId, [digits]);
  for (const uuid of uuids) await deleteContact(deps, accountId, uuid);
  return uuids.length;
}
