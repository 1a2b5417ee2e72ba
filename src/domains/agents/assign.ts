import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { isWithin, type WeekHours, wallMoment } from '../../platform/time/week-hours.ts';
import { type AgentRow, findChain, findSkilled, lockTurn, noteAssigned, noteTurn, readTurn } from './queries.ts';
import type { Strategy } from './schemas.ts';

/** Who is wanted: one agent, or anybody with a skill but for some. */
export type Wanted = { agent: string } | { skill: string; strategy: Strategy; except?: ReadonlySet<string> };

/**
 * Hands something to an agent: answers whom to ask, in order. The first one's turn is noted; after them come their
 * fallbacks. Only those who are available are asked, and [] says that nobody is.
 */
export async function assignAgent({ db }: Pick<Deps, 'db'>, accountId: string, wanted: Wanted, at: Date) {
  return inTransaction(db, async (db) => {
    const last = 'skill' in wanted ? await lockTurn(db, accountId, wanted.skill) : null;
    const agents = await inOrder({ db }, accountId, wanted, at, last);
    if (agents[0]) await noteAssigned(db, accountId, agents[0].uuid);
    if (agents[0] && 'skill' in wanted) await noteTurn(db, accountId, wanted.skill, agents[0].uuid);
    return agents;
  });
}

/** Whom that would be at this moment, and nothing is noted. */
export async function previewAgent({ db }: Pick<Deps, 'db'>, accountId: string, wanted: Wanted, at: Date) {
  const last = 'skill' in wanted ? await readTurn(db, accountId, wanted.skill) : null;
  return inOrder({ db }, accountId, wanted, at, last);
}

async function inOrder(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  wanted: Wanted,
  at: Date,
  last: string | null,
): Promise<AgentRow[]> {
  const isWanted = ({ uuid }: AgentRow): boolean => 'agent' in wanted || !wanted.except?.has(uuid);
  const first =
    'agent' in wanted
      ? wanted.agent
      : pick((await findSkilled(db, accountId, [wanted.skill])).filter(isWanted), wanted.strategy, last, at)?.uuid;
  if (first === undefined) return [];
  return (await findChain(db, accountId, first)).filter((agent) => isWanted(agent) && isAvailable(agent, at));
}

/** Whose turn it is; `agents` are in the order of their ids. undefined: nobody is available. */
export function pick(agents: AgentRow[], strategy: Strategy, last: string | null, at: Date): AgentRow | undefined {
  const available = agents.filter((agent) => isAvailable(agent, at));
  if (strategy === 'ROUND_ROBIN') return available.find(({ uuid }) => last === null || uuid > last) ?? available[0];
  return available.toSorted((a, b) => compare(a.last_assigned ?? '', b.last_assigned ?? ''))[0];
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** What availability depends on. */
export interface Hours {
  /** The agent's own time zone, else the account's. */
  zone: string;
  working_hours: WeekHours | null;
  holidays: string[];
  away: boolean;
  away_until: string | null;
}

/** Why an agent is not to be asked at a moment; undefined: nothing speaks against it. */
export function whyUnavailable(agent: Hours, at: Date): 'AWAY' | 'HOLIDAY' | 'HOURS' | undefined {
  const { away, away_until, holidays, working_hours, zone } = agent;
  if (away && (away_until === null || at.getTime() < Date.parse(away_until))) return 'AWAY';
  if (holidays.includes(wallMoment(at, zone).date)) return 'HOLIDAY';
  if (working_hours !== null && !isWithin(working_hours, zone, at)) return 'HOURS';
  return undefined;
}

export const isAvailable = (agent: Hours, at: Date): boolean => whyUnavailable(agent, at) === undefined;
