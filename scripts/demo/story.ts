import type { Api } from './api.ts';
import { listings, makePeople, type Person } from './cast.ts';
import { type Chance, makeChance } from './chance.ts';

/** What the parts of the demo share: the way in, how much to make, and what earlier parts have made. */
export interface Story {
  api: Api;
  scale: Scale;
  /** Everybody, and of these who does what; nobody does two things. */
  people: Person[];
  parts: Record<'forgotten' | 'visitors' | 'talkers' | 'texters' | 'leavers' | 'leads' | 'callers', Person[]>;
  chance: Chance;
  tell(line: string): void;
}

/** How much of everything; all states occur at either scale. */
export interface Scale {
  contacts: number;
  optOuts: number;
  conversations: number;
  calls: number;
  sms: number;
  /** People who meet an intro, each. */
  visitors: number;
}
export const scales = {
  full: { contacts: 2_000, optOuts: 40, conversations: 40, calls: 50, sms: 60, visitors: 6 },
  small: { contacts: 120, optOuts: 10, conversations: 8, calls: 14, sms: 16, visitors: 2 },
} satisfies Record<string, Scale>;

export function makeStory(api: Api, scale: Scale, tell: (line: string) => void): Story {
  const people = makePeople(scale.contacts);
  let taken = 0;
  const next = (count: number): Person[] => {
    taken += count;
    return people.slice(taken - count, taken);
  };
  const parts = {
    forgotten: next(3),
    visitors: next(scale.visitors * listings.length),
    talkers: next(scale.conversations),
    texters: next(scale.sms),
    leavers: next(scale.optOuts),
    leads: next(14),
    callers: next(scale.calls),
  };
  return { api, scale, people, parts, chance: makeChance(1_815), tell };
}
