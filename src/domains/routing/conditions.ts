import { prefixDigits, readPhone } from '../../platform/phone.ts';
import { cut } from '../../platform/text/cut.ts';
import { findKeywords } from '../../platform/text/keywords.ts';
import { isInWindow, wallMoment } from '../../platform/time/week-hours.ts';
import { skillKey } from '../agents/index.ts';
import type { Facts } from './choose.ts';
import { draw } from './draw.ts';
import type { dayNames, RouteConditions } from './schemas.ts';

/** Whether one condition holds, and what was found in its place. */
export interface Verdict {
  condition: string;
  holds: boolean;
  found: string;
}

type Name = Exclude<keyof RouteConditions, 'time_zone'>;
type Result = readonly [holds: boolean, found: string];
type Checks = {
  [N in Name]: (wanted: NonNullable<RouteConditions[N]>, facts: Facts, all: RouteConditions, place: number) => Result;
};

const longestFound = 200;

/** Under which `Facts.available` knows somebody. */
export const availabilityKey = ({ agent, skill }: { agent?: string; skill?: string }): string =>
  agent === undefined ? `skill ${skillKey(skill ?? '')}` : `agent ${agent.toLowerCase()}`;

const beginsWith = (number: string, prefixes: string[], { country }: Facts): boolean =>
  prefixes.map((prefix) => prefixDigits(prefix, country)).some((digits) => digits !== '' && number.startsWith(digits));

const wall = ({ at, zone }: Facts, { time_zone }: RouteConditions) => wallMoment(at, time_zone ?? zone);

const timeOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

const dayNameOf = (weekday: string): (typeof dayNames)[number] => weekday.toUpperCase() as (typeof dayNames)[number];

const checks: Checks = {
  dialled_numbers: (wanted, { dialled, country }) => [
    wanted.some((number) => readPhone(number, country) === dialled),
    dialled,
  ],
  dialled_prefixes: (wanted, facts) => [beginsWith(facts.dialled, wanted, facts), facts.dialled],
  caller_countries: (wanted, { callerCountry }) => [
    callerCountry !== null && wanted.includes(callerCountry),
    callerCountry ?? '',
  ],
  caller_prefixes: (wanted, facts) => [beginsWith(facts.caller, wanted, facts), facts.caller],
  caller_lists: (wanted, { lists }) => {
    const found = wanted.filter((list) => lists.has(list.toLowerCase()));
    return [found.length > 0, found.join(', ')];
  },
  time_windows: (wanted, facts, all) => {
    const { minute } = wall(facts, all);
    const holds = wanted.some(
      (window) => isInWindow(window, minute) || isInWindow(window, minute, { dayBefore: true }),
    );
    return [holds, timeOf(minute)];
  },
  weekdays: (wanted, facts, all) => {
    const day = dayNameOf(wall(facts, all).weekday);
    return [wanted.includes(day), day];
  },
  holidays: ({ on, dates }, facts, all) => {
    const { date } = wall(facts, all);
    return [dates.includes(date) === on, date];
  },
  keywords: (wanted, { text }) => {
    const found = findKeywords(text, wanted);
    return [found.length > 0, found.join(', ')];
  },
  digits: (wanted, { digits }) => [wanted.includes(digits), digits],
  percentage: (wanted, { random }, _all, place) => {
    const drawn = draw(random, 2 * place) * 100;
    return [drawn < wanted, drawn.toFixed(1)];
  },
  agent_available: (wanted, { available }) => {
    const holds = available.get(availabilityKey(wanted)) ?? false;
    return [holds, holds ? 'available' : 'not available'];
  },
};

/** How each of the conditions stands, in the order of the list above. */
export function evaluate(conditions: RouteConditions, facts: Facts, place: number): Verdict[] {
  return (Object.keys(checks) as Name[]).flatMap((name) => {
    const wanted = conditions[name];
    if (wanted === undefined) return [];
    const check = checks[name] as (wanted: unknown, facts: Facts, all: RouteConditions, place: number) => Result;
    const [holds, found] = check(wanted, facts, conditions, place);
    return [{ condition: name, holds, found: cut(found, longestFound) }];
  });
}
