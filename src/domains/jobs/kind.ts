import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Deps } from '../../deps.ts';
import type { ByteSource } from '../../platform/csv/read.ts';
import { isDatabaseAway } from '../../platform/db/connect/failure.ts';
import { ApiError, errorTable, type FieldErrors, ValidationError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/route.ts';
import { branchOf } from '../../platform/within.ts';
import type { NewResult } from './result-queries.ts';
import type { Counts, Work } from './running/work.ts';

/** A type of job: what it takes, who may ask for it, and how it is done. They are in `kinds/`. */
export interface Kind {
  /** `domain.verb` */
  type: string;
  /** What a token must be allowed to do, beside submitting jobs. */
  scope: Scope;
  /** It is asked for by an operation of its own, and not submitted like others. */
  isInternal?: boolean;
  /** The schema of `input`. */
  Input: TSchema;
  /** What is wrong with the input beyond that; undefined: nothing. */
  check?(deps: Deps, accountId: string, input: unknown): Promise<FieldErrors | undefined>;
  /** For a kind that takes uploads: fails with a CsvError when the header of a file will not do. */
  checkFile?(deps: Deps, accountId: string, file: ByteSource, input: unknown): Promise<void>;
  /** How many items there are; null: that is found out on the way. */
  totalOf(input: unknown): number | null;
  /** Does the job from where it stands. It may be called again after each step, by another process. `later`: and so it is, after a while. */
  run(work: Work): Promise<Verdict | 'later'>;
}

/** What comes after a step: the next one, or nothing, because the job was cancelled or others are to go on with it. */
export type Verdict = 'go' | 'stop';

/** The job cannot be done, and never will be. The message is for its owner. */
export class JobFailure extends Error {
  override name = 'JobFailure';
}

/** A kind of job whose input is a list of things that do not depend on each other. */
export interface ItemKind<S extends TSchema, Item> extends Pick<Kind, 'type' | 'scope'> {
  Input: S;
  check?(deps: Deps, accountId: string, input: Static<S>): ReturnType<NonNullable<Kind['check']>>;
  /** Items of one step. */
  batchSize: number;
  itemsOf(input: Static<S>): readonly Item[];
  perform: Perform<Item>;
}

/** Does some items in the transaction of `deps.db`. It may fail as a whole for the sake of one of them. */
export type Perform<Item> = (deps: Deps, accountId: string, items: Item[]) => Promise<PromiseSettledResult<unknown>[]>;

export const itemKind = <S extends TSchema, Item>(kind: ItemKind<S, Item>): Kind => {
  const { itemsOf, batchSize, perform } = kind;
  return {
    ...(kind as unknown as Kind),
    totalOf: (input) => itemsOf(input as Static<S>).length,
    async run({ accountId, input, done, step }) {
      const items = itemsOf(input as Static<S>);
      for (let next = done; next < items.length; next += batchSize) {
        const verdict = await step(async (deps, done) => {
          const batch = items.slice(done, done + batchSize);
          const results = resultsOf(deps, await performAll(deps, accountId, batch, perform), done);
          return { done: done + batch.length, counts: countsOf(results), results };
        });
        if (verdict === 'stop') return 'stop';
      }
      return 'go';
    },
  };
};

/**
 * All items at once. If that fails each is done by itself, so that one which cannot be done does not stop the others. What is
 * the database's fault and passes is no item's error: the step fails, and is tried again later.
 */
export async function performAll<Item>(
  deps: Deps,
  accountId: string,
  items: Item[],
  perform: Perform<Item>,
): Promise<PromiseSettledResult<unknown>[]> {
  const whole = await attempt(deps, (deps) => perform(deps, accountId, items));
  if (whole.status === 'fulfilled') return whole.value;
  if (items.length === 1) return [whole];
  const outcomes: PromiseSettledResult<unknown>[] = [];
  for (const item of items) {
    const one = await attempt(deps, (deps) => perform(deps, accountId, [item]));
    outcomes.push(one.status === 'fulfilled' ? one.value[0]! : one);
  }
  return outcomes;
}

/** Does something within the transaction that can fail without it. */
async function attempt<T>(outer: Deps, work: (deps: Deps) => Promise<T>): Promise<PromiseSettledResult<T>> {
  const { db } = outer;
  const { deps, commit } = branchOf(outer, db);
  await sql`savepoint attempt`.execute(db);
  try {
    const value = await work(deps);
    await sql`release savepoint attempt`.execute(db);
    commit();
    return { status: 'fulfilled', value };
  } catch (reason) {
    if (isDatabaseAway(reason)) throw reason;
    await sql`rollback to savepoint attempt`.execute(db);
    await sql`release savepoint attempt`.execute(db);
    return { status: 'rejected', reason };
  }
}

export const resultsOf = (deps: Deps, outcomes: PromiseSettledResult<unknown>[], first: number): NewResult[] =>
  outcomes.map((outcome, place) =>
    outcome.status === 'fulfilled'
      ? { index: first + place, ok: true, value: outcome.value }
      : { index: first + place, ok: false, value: refusalOf(deps, outcome.reason) },
  );

function countsOf(results: NewResult[]): Counts {
  const succeeded = results.filter(({ ok }) => ok).length;
  return { succeeded, failed: results.length - succeeded };
}

/** What the single request would have been answered. */
function refusalOf({ log }: Deps, reason: unknown): unknown {
  if (reason instanceof ValidationError) return Array.isArray(reason.errors) ? reason.errors[0] : reason.errors;
  if (reason instanceof ApiError) return { detail: reason.message, code: reason.code };
  log.error({ err: reason }, 'An item of a job failed');
  return { detail: errorTable.internal_error[1], code: 'internal_error' };
}

/** What is kept of something that was sent: enough to find it. What it says is kept with itself only, and as long as that. */
export const sent = (
  results: PromiseSettledResult<{ uuid: string; status: string }>[],
): PromiseSettledResult<{ uuid: string; status: string }>[] =>
  results.map((result) =>
    result.status === 'rejected'
      ? result
      : { status: 'fulfilled', value: { uuid: result.value.uuid, status: result.value.status } },
  );

/** Errors of a list of the input, one entry per item; undefined when no item has any. */
export const anyErrors = (field: string, entries: FieldErrors[]): FieldErrors | undefined =>
  entries.some((errors) => Object.keys(errors).length > 0) ? { [field]: entries } : undefined;
