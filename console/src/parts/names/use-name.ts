import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { mayCall } from '../../api/may.ts';
import type { Schema } from '../../api/types.ts';

export type Named = Schema<'ContactName'>;

const path = '/v2/contacts/names/';
/** What the API takes at once. */
const most = 100;
/** Rows that are drawn within this time are asked for together. */
const gatherMs = 20;
/** A name that was changed here, or is told of as changed, is asked for anew at once. */
const staleMs = 60_000;

interface Asked {
  number: string;
  resolve(named: Named | null): void;
  reject(error: unknown): void;
}
let asked: Asked[] = [];

/** One request for all numbers that are asked for at about the same time. */
function lookUp(number: string): Promise<Named | null> {
  return new Promise((resolve, reject) => {
    asked.push({ number, resolve, reject });
    if (asked.length === 1) setTimeout(askAll, gatherMs);
  });
}

function askAll(): void {
  const all = asked;
  asked = [];
  for (let at = 0; at < all.length; at += most) void askSome(all.slice(at, at + most));
}

async function askSome(some: Asked[]): Promise<void> {
  try {
    const { results } = await call('get', path, { query: { number: some.map(({ number }) => number) } });
    const byNumber = new Map(results.map((named) => [named.number, named]));
    for (const { number, resolve } of some) resolve(byNumber.get(number) ?? null);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

/** Names of senders and ids of people who hide their number are none. */
const isNumber = (number: string): boolean => /^\+?[\d\s().-]{5,}$/.test(number);

/** The contact behind a number, with its name; null while it is not known, and for numbers that are no contact with a name. */
export function useNamed(number: string | null | undefined): Named | null {
  const wanted = number ?? '';
  const { data } = useQuery({
    // Begins with the path of contacts, so that whatever reads those anew reads names anew.
    queryKey: [path, wanted],
    queryFn: () => lookUp(wanted),
    staleTime: staleMs,
    enabled: isNumber(wanted) && mayCall('get', path),
    refetchOnWindowFocus: false,
  });
  return data ?? null;
}

/** The name of a contact by its number, or an empty text. */
export const useName = (number: string | null | undefined): string => useNamed(number)?.name ?? '';
