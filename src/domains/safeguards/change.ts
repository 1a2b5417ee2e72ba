import type { Deps } from '../../deps.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { safeguardCache } from './policy.ts';
import { findIncident, type IncidentRow, lockSettings, reviewIncident, storeSettings } from './queries.ts';
import { defaults, presentSafeguards, type SafeguardsPatch, type Settings } from './schemas.ts';

/** Changes what a request names. */
export const changeSafeguards = (deps: Deps, accountId: string, change: SafeguardsPatch) =>
  within(deps, async (deps) => {
    const { settings: stored, feedback_since } = await lockSettings(deps.db, accountId);
    const settings = { ...defaults, ...stored, ...change };
    check(settings);
    await storeSettings(deps.db, accountId, settings, deps.clock.now());
    deps.caches.forget(safeguardCache);
    return presentSafeguards({ settings, feedback_since });
  });

export function check({ caps }: Settings): void {
  const seen = new Set<string>();
  const errors = caps.map(({ channel, per, window, measure }): FieldErrors => {
    const key = [channel, per, window, measure].join(' ');
    if (seen.has(key)) return { channel: ['Another cap has the same channel, subject, window and measure.'] };
    seen.add(key);
    return {};
  });
  if (errors.some((error) => Object.keys(error).length > 0)) throw new ValidationError({ caps: errors });
}

/** Lets a range through that was held, or closes it. */
export const reviewRange = (
  deps: Deps,
  accountId: string,
  uuid: string,
  { status, reviewedBy }: { status: string; reviewedBy: string },
): Promise<IncidentRow> =>
  within(deps, async (deps) => {
    const { db, clock } = deps;
    const incident = await findIncident(db, accountId, uuid);
    if (!incident) throw notFound();
    const row = await reviewIncident(db, accountId, uuid, { status, reviewedBy, now: clock.now() });
    if (!row) throw new ApiError('nothing_to_review');
    deps.caches.forget(safeguardCache);
    return row;
  });
