import { useLocalStorage } from '@mantine/hooks';
import type { Person } from './types.ts';

export type Side = 'A' | 'B';
export type People = Record<Side, Person>;

/** Numbers that a regulator set aside for films. */
const firstPeople: People = {
  A: { number: '+447700900123', name: 'Lena Brook' },
  B: { number: '+447700900456', name: 'Sam Okoro' },
};

/** Whose phones these are; remembered by this browser. */
export function usePeople() {
  return useLocalStorage<People>({
    key: 'parley-phones',
    defaultValue: firstPeople,
    getInitialValueInEffect: false,
    deserialize: (text) => read(text) ?? firstPeople,
  });
}

/** What an older version or a curious person left there must not break the page. */
function read(text: string | undefined): People | undefined {
  try {
    const people = JSON.parse(text ?? '') as Partial<People> | null;
    return people && isPerson(people.A) && isPerson(people.B) ? { A: people.A, B: people.B } : undefined;
  } catch {
    return undefined;
  }
}

const isPerson = (one: Person | undefined): one is Person =>
  typeof one?.number === 'string' && isNumber(one.number) && typeof one.name === 'string';

export const isNumber = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number);
