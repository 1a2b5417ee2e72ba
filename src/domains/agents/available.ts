import { isWithin, type WeekHours, wallMoment } from '../../platform/time/week-hours.ts';

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
