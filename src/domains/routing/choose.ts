import { evaluate, type Verdict } from './conditions.ts';
import { draw } from './draw.ts';
import type { ConfigFields, Route, RouteDestination } from './schemas.ts';

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
