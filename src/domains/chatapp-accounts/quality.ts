import type { Deps } from '../../deps.ts';
import { updateSettings } from './queries.ts';

/** Notes how good the platform finds a number now. */
export async function setQuality(deps: Deps, accountId: string, uuid: string, quality: string): Promise<void> {
  await updateSettings(deps.db, accountId, uuid, { quality });
}
