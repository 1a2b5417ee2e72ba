import { ApiError } from '../errors.ts';
import { systemMs } from '../time/clock.ts';
import type { Demands, Principal } from './route.ts';

/** How long a sign-in, or a confirmation of it, counts for what is sensitive. */
export const freshMs = 10 * 60_000;

/** Whether somebody who signed in is to confirm it before they do this. */
export const isStale = ({ signedIn }: Principal, { fresh }: Demands): boolean =>
  fresh !== undefined &&
  signedIn !== undefined &&
  (signedIn.isSession || fresh === 'person') &&
  systemMs() - signedIn.atMs > freshMs;

/** Why a principal with the scope may not go on all the same; undefined: it may. */
export function refusalOf(principal: Principal, demands: Demands): ApiError | undefined {
  if (principal.mustEnrol && !demands.enrolment) return new ApiError('second_factor_setup_required');
  return isStale(principal, demands) ? new ApiError('reauthentication_required') : undefined;
}
