import { prefixDigits, readPhone } from '../../platform/phone.ts';
import { cut } from '../../platform/text/fit.ts';
import { findKeywords } from '../../platform/text/keywords.ts';
import { isInWindow, wallMoment } from '../../platform/time/week-hours.ts';
import { skillKey } from '../agents/index.ts';
import type { ConfigFields, dayNames, Route, RouteConditions, RouteDestination } from './schemas.ts';

/** All that a choice depends on: the same facts, the same choice. */
export interface Facts {
  /** The number that was called or written to, as digits. */
  dialled: string;
  /** Who calls or writes, as digits; '' where they withheld it. */
  caller: string;
  callerCountry: string | null;
  /** Those lists of the conditions that they are on. */
  lists: ReadonlySet<string>;
  at: Date;
  /** The account's time zone. */
  zone: string;
  /** The account's country, in which it writes national numbers. */
  country: string;
  text: string;
  /** Entered by the caller. */
  digits: string;
  /** From 0 to just below 1: decides all that is drawn. */
  random: number;
  /** Whether somebody is available, by `availabilityKey`; whoever is not there is not. */
  available: ReadonlyMap<string, boolean>;
}

export interface Choice {
  /** In the order in which they are to be tried; `route` is the place in the config, null for the fallback. */
  destinations: { route: number | null; destination: RouteDestination }[];
  routes: Explained[];
}

export interface Explained {
  matches: boolean;
  /** Of a group of which several match: whether this one was drawn to be the first. */
  drawn: boolean | null;
  conditions: Verdict[];
}

/**
 * What becomes of a call or message. Routes are tried in order, those that match; then the fallback. Routes of one group that
 * follow each other share one place: of those among them that match, the first is drawn by weight, and the others follow
 * in their order, for when it does not work out.
 */
export function choose({ routes, fallback }: Pick<ConfigFields, 'routes' | 'fallback'>, facts: Facts): Choice {
  const explained = routes.map((route, place): Explained => {
    const conditions = evaluate(route.conditions ?? {}, facts, place);
    return { matches: conditions.every(({ holds }) => holds), drawn: null, conditions };
  });
  const order: number[] = [];
  for (const places of placesOf(routes)) {
    const matching = places.filter((place) => explained[place]!.matches);
    if (matching.length < 2) {
      order.push(...matching);
      continue;
    }
    const first = drawByWeight(routes, matching, draw(facts.random, 2 * matching[0]! + 1));
    for (const place of matching) explained[place]!.drawn = place === first;
    order.push(first, ...matching.filter((place) => place !== first));
  }
  const destinations: Choice['destinations'] = order.map((route) => ({
    route,
    destination: routes[route]!.destination,
  }));
  if (fallback) destinations.push({ route: null, destination: fallback });
  return { destinations, routes: explained };
}

/** The routes by their places in the order: neighbours of one group together, every other one alone. */
function placesOf(routes: Route[]): number[][] {
  const places: number[][] = [];
  for (const [index, { group }] of routes.entries()) {
    const isSame = index > 0 && (group ?? null) !== null && routes[index - 1]!.group === group;
    if (isSame) places.at(-1)!.push(index);
    else places.push([index]);
  }
  return places;
}

function drawByWeight(routes: Route[], matching: number[], drawn: number): number {
  const weightOf = (place: number) => routes[place]!.weight ?? 1;
  let left = drawn * matching.reduce((total, place) => total + weightOf(place), 0);
  for (const place of matching) {
    left -= weightOf(place);
    if (left < 0) return place;
  }
  return matching.at(-1)!;
}

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
function evaluate(conditions: RouteConditions, facts: Facts, place: number): Verdict[] {
  return (Object.keys(checks) as Name[]).flatMap((name) => {
    const wanted = conditions[name];
    if (wanted === undefined) return [];
    const check = checks[name] as (wanted: unknown, facts: Facts, all: RouteConditions, place: number) => Result;
    const [holds, found] = check(wanted, facts, conditions, place);
    return [{ condition: name, holds, found: cut(found, longestFound) }];
  });
}

const two32 = 2 ** 32;

/**
 * A number from 0 to just below 1, made of a random one and the place it is for: several draws for one call do not depend on
 * each other, and the same random number gives them all again. (The mixing of MurmurHash3, by Austin Appleby.)
 */
export function draw(random: number, place: number): number {
  let mixed = Math.floor(random * two32) ^ Math.imul(place + 1, 0x9e3779b9);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / two32;
}
