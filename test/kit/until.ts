import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Far longer than anything takes: a busy machine may stand still for many seconds, and only a failure waits to the end. */
const patienceMs = 300_000;
const longestPauseMs = 20;

type Look<T> = () => T | Promise<T>;
type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/**
 * Looks again and again until what it sees is truthy, or holds, and gives that. When it never comes, the failure says what was
 * awaited, in words or as the source of the condition, and what was seen last. `look` throws when waiting on is of no use.
 */
export function until<T>(look: Look<T>): Promise<Truthy<T>>;
export function until<T>(look: Look<T>, holds: (value: T) => boolean): Promise<T>;
export function until<T>(what: string, look: Look<T>): Promise<Truthy<T>>;
export function until<T>(what: string, look: Look<T>, holds: (value: T) => boolean, patience?: number): Promise<T>;
export async function until<T>(...args: unknown[]): Promise<T> {
  const what = typeof args[0] === 'string' ? (args.shift() as string) : undefined;
  const [look, holds = Boolean, patience = patienceMs] = args as [Look<T>, ((value: T) => boolean)?, number?];
  const endMs = performance.now() + patience;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    // A look that begins after the end may be the first in a long time.
    const isLast = performance.now() > endMs;
    const value = await look();
    if (holds(value)) return value;
    if (isLast) {
      const awaited = what ?? String(holds === Boolean ? look : holds);
      throw new Error(`Waited ${patience / 1000} s in vain for: ${awaited}\nSeen last: ${shown(value)}`);
    }
    await sleep(pauseMs);
  }
}

const shown = (value: unknown): string => {
  const text = inspect(value, { depth: 6, maxArrayLength: 50, breakLength: 120 });
  return text.length > 4_000 ? `${text.slice(0, 4_000)} …` : text;
};
