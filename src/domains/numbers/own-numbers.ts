import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';

/** A number that an account has. */
export interface OwnNumber {
  account_id: string;
  digits: string;
  capabilities: string[];
  features: string[];
  keywords: string[];
  webhooks: string[];
}

const find = prepared<OwnNumber>(
  'numbers.find-own',
  `select number.account_id, number.digits, number.capabilities, number.features, number.keywords, number.webhooks
  from unnest($1::uuid[], $2::text[]) as wanted (account_id, digits)
  join numbers as number on number.account_id = wanted.account_id and number.digits = wanted.digits
  where number.released_at is null`,
);

/** Which of these numbers the accounts have, by account and digits. */
export async function findOwnNumbers(
  db: Db,
  wanted: { accountId: string; digits: string }[],
): Promise<(accountId: string, digits: string) => OwnNumber | undefined> {
  const rows = await find(db, [
    uuidArray(wanted.map(({ accountId }) => accountId)),
    wanted.map(({ digits }) => digits),
  ]);
  const known = new Map(rows.map((row) => [row.account_id + row.digits, row]));
  return (accountId, digits) => known.get(accountId + digits);
}

const having = prepared<{ account_id: string }>(
  'numbers.accounts-having',
  `select account_id from unnest($1::uuid[]) as account (account_id)
  where exists (select 1 from numbers where numbers.account_id = account.account_id and released_at is null)`,
);

/** Those of these accounts that have any number: one look into the index for each. */
export async function findAccountsWithNumbers(db: Db, accountIds: string[]): Promise<Set<string>> {
  const rows = await having(db, [uuidArray(accountIds)]);
  return new Set(rows.map(({ account_id }) => account_id));
}
