import type { Db } from '../../platform/db/connect/pool.ts';
import { type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { findUnknownWebhooks } from '../webhooks/index.ts';

/** The errors of each item's `webhooks`, by their place in the list. */
export async function webhookErrors(
  db: Db,
  accountId: string,
  items: { webhooks?: string[] | undefined }[],
): Promise<FieldErrors[]> {
  const names = items.flatMap((item) => item.webhooks ?? []);
  if (names.length === 0) return items.map(() => ({}));
  const unknown = await findUnknownWebhooks(db, accountId, names);
  return items.map(({ webhooks = [] }): FieldErrors => {
    const errors = [...webhooks.entries()]
      .filter(([, name]) => unknown.has(name))
      .map(([place, name]) => [place, [`Webhook "${name}" does not exist.`]]);
    return errors.length > 0 ? { webhooks: Object.fromEntries(errors) } : {};
  });
}

/** The errors of items, by their numbers, that name one which an item before them has named. */
export function repeatErrors(items: (string | undefined)[]): FieldErrors[] {
  const seen = new Set<string>();
  return items.map((digits): FieldErrors => {
    if (digits === undefined) return {};
    if (seen.has(digits)) return { number: ['This number appears more than once.'] };
    seen.add(digits);
    return {};
  });
}

/** Refuses the request if any item has an error; the lists are merged item by item. */
export function refuseErrors(...lists: FieldErrors[][]): void {
  const merged = lists[0]!.map((_, item) => Object.assign({}, ...lists.map((list) => list[item])) as FieldErrors);
  if (merged.some((errors) => Object.keys(errors).length > 0)) throw new ValidationError(merged);
}

/** Runs work on a list of one: its only result, and its errors without the list around them. */
export async function alone<T>(work: Promise<T[]>): Promise<T> {
  try {
    return (await work)[0]!;
  } catch (error) {
    if (error instanceof ValidationError && Array.isArray(error.errors)) throw new ValidationError(error.errors[0]!);
    throw error;
  }
}
