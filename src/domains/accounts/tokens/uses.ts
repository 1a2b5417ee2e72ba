import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import type { Principal } from '../../../platform/http/route.ts';

const notedMs = 60_000;
const gatheredMs = 1_000;
/** What one statement takes. */
const most = 5_000;

export interface TokenUses {
  note(principal: Principal, request: FastifyRequest): void;
  stop(): Promise<void>;
}

/**
 * Notes when tokens are used and from where: once a minute for each at most, and many in one statement, so that a request costs a
 * look into a map. What could not be written is not tried again: the next minute brings more.
 */
export function makeTokenUses({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TokenUses {
  const noted = new Map<string, number>();
  let waiting: TokenUse[] = [];
  let writing: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    const uses = waiting;
    waiting = [];
    if (uses.length === 0) return writing;
    writing = writing
      .then(() => storeTokenUsesAnyAccount(db, uses))
      .catch((error: Error) => log.warn({ error: error.message }, 'When tokens were used could not be written'));
    return writing;
  };
  const timer = setInterval(() => void write(), gatheredMs).unref();
  const sweep = setInterval(() => {
    const old = performance.now() - notedMs;
    for (const [tokenId, at] of noted) if (at < old) noted.delete(tokenId);
  }, notedMs).unref();

  return {
    note({ tokenId, accountId }, request) {
      const now = performance.now();
      const last = noted.get(tokenId);
      if ((last !== undefined && last > now - notedMs) || waiting.length >= most) return;
      noted.set(tokenId, now);
      waiting.push({ accountId, tokenId, at: clock.now().toISOString(), address: request.ip.slice(0, 100) });
    },
    async stop() {
      clearInterval(timer);
      clearInterval(sweep);
      await write();
    },
  };
}

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

async function storeTokenUsesAnyAccount(db: Db, uses: TokenUse[]): Promise<void> {
  await store(db, [
    uuidArray(uses.map(({ accountId }) => accountId)),
    uuidArray(uses.map(({ tokenId }) => tokenId)),
    uses.map(({ at }) => at),
    uses.map(({ address }) => address),
  ]);
}
