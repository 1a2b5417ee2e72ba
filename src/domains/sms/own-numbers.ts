import { type Db, prepared } from '../../platform/db/pool.ts';

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
  'sms.own-numbers',
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
  const rows = await find(db, [wanted.map(({ accountId }) => accountId), wanted.map(({ digits }) => digits)]);
  const known = new Map(rows.map((row) => [row.account_id + row.digits, row]));
  return (accountId, digits) => known.get(accountId + digits);
}
