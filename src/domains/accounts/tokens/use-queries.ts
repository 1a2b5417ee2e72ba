import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';

export interface TokenUse {
  accountId: string;
  tokenId: string;
  at: string;
  address: string;
}

/** Rows that somebody else has locked are passed over: they are being used there, or deleted. */
const store = prepared(
  'accounts.token-uses',
  `with used as (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) as used (account_id, uuid, at, address)
  ), free as (
    select tokens.account_id, tokens.uuid from tokens join used using (account_id, uuid)
    where tokens.last_used is null or tokens.last_used < used.at
    order by tokens.account_id, tokens.uuid for no key update of tokens skip locked
  )
  update tokens set last_used = used.at, last_used_address = used.address
  from used join free using (account_id, uuid)
  where tokens.account_id = used.account_id and tokens.uuid = used.uuid`,
  // Whoever writes a reference table writes it alone: nobody waits in a circle.
  `update tokens set last_used = used.at, last_used_address = used.address
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) as used (account_id, uuid, at, address)
  where tokens.account_id = used.account_id and tokens.uuid = used.uuid
    and (tokens.last_used is null or tokens.last_used < used.at)`,
);

export async function storeTokenUsesAnyAccount(db: Db, uses: TokenUse[]): Promise<void> {
  await store(db, [
    uuidArray(uses.map(({ accountId }) => accountId)),
    uuidArray(uses.map(({ tokenId }) => tokenId)),
    uses.map(({ at }) => at),
    uses.map(({ address }) => address),
  ]);
}
