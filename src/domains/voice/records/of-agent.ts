import type { Db } from '../../../platform/db/connect/pool.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { findAgents } from '../../agents/index.ts';
import type { CallFilters } from '../queries.ts';

/** Filters in which an agent, if one is named, is the numbers at which that agent is rung. */
export async function withTargets<Q extends object>(
  db: Db,
  accountId: string,
  filters: Q,
): Promise<Q & Pick<CallFilters, 'targets'>> {
  const { agent } = filters as { agent?: string };
  if (agent === undefined) return filters;
  const [found] = await findAgents(db, accountId, [agent]);
  const numbers = found?.numbers ?? [];
  // As they are written, and in the form that is dialled.
  const dialled = numbers.map(phoneDigits).filter((digits) => digits !== '');
  return { ...filters, targets: [...new Set([...numbers, ...dialled, ...dialled.map((digits) => `+${digits}`)])] };
}
