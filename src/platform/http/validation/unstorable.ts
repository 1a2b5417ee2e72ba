import type { FieldErrors } from '../../errors.ts';
import { asBody, asEntries, isSentences, type Problem } from './error-body.ts';

/** How many more problems are worth naming. */
interface Budget {
  left: number;
}

const mostProblems = 1_000;

/**
 * Finds what JSON can say and PostgreSQL cannot keep: null characters, lone surrogates, numbers beyond a double (which
 * would come back as null). Undefined when there is nothing; else errors nested as the value is nested.
 */
export function unstorable(value: unknown): FieldErrors | FieldErrors[] | undefined {
  const problem = problemOf(value, { left: mostProblems });
  return problem && asBody(problem);
}

function problemOf(value: unknown, budget: Budget): Problem | undefined {
  if (budget.left === 0) return undefined;
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? problemOfList(value, budget) : problemOfObject(value, budget);
  }
  const problem = typeof value === 'string' ? problemOfText(value) : problemOfNumber(value);
  if (problem) budget.left--;
  return problem;
}

const problemOfNumber = (value: unknown): string[] | undefined =>
  typeof value !== 'number' || Number.isFinite(value) ? undefined : ['A valid number is required.'];

function problemOfText(text: string): string[] | undefined {
  if (text.includes('\0')) return ['Null characters are not allowed.'];
  return text.isWellFormed() ? undefined : ['Surrogate characters are not allowed.'];
}

function problemOfList(items: unknown[], budget: Budget): Problem | undefined {
  const bad = new Map<number, Problem>();
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, budget);
    if (problem) bad.set(index, problem);
  }
  if (bad.size === 0) return undefined;
  return [...bad.values()].every(isSentences) ? Object.fromEntries(bad) : asEntries(bad, items);
}

/** A key that cannot be kept cannot be shown either: the object that holds it is named. */
function problemOfObject(fields: object, budget: Budget): Problem | undefined {
  const bad: [string, Problem][] = [];
  const badKeys = new Set<string>();
  for (const [key, value] of Object.entries(fields)) {
    const inKey = problemOfText(key);
    const problem = inKey ? undefined : problemOf(value, budget);
    if (inKey) badKeys.add(inKey[0]!);
    if (problem) bad.push([key, problem]);
  }
  if (badKeys.size > 0) bad.push(['non_field_errors', [...badKeys]]);
  return bad.length > 0 ? Object.fromEntries(bad) : undefined;
}
