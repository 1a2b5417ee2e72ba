import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';
import { ApiError, ValidationError } from '../errors.ts';
import { Unreadable, type Vault } from '../secrets.ts';
import type { Answer } from './route.ts';

const keptHours = 24;
/** The owner of keys from before keys had one. */
const fromBefore = '00000000-0000-0000-0000-000000000000';

export interface KeyedRequest {
  accountId: string;
  /** The user or the token that sends it: a key is theirs alone, and so is the answer. */
  owner: string;
  method: string;
  path: string;
  key: string;
  rawBody: Buffer;
}

/**
 * Runs `work` at most once per key, in the caller's transaction. The answer is stored in the one in which the work was done, so after a crash
 * either both are there (the retry gets the first answer) or neither is (the retry does the work). Only successes are
 * stored: an error did nothing, and trying again may well succeed. A body may hold a password, an answer a secret that is shown
 * once: neither is to be read from the table.
 */
export async function runOnce(
  { db, vault }: { db: Db; vault: Vault },
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!/^[\x20-\x7e]{1,255}$/.test(request.key)) {
    throw new ValidationError({ 'Idempotency-Key': ['Ensure this header has 1 to 255 printable ASCII characters.'] });
  }
  const { accountId, owner, method, path, key } = request;
  const requestHash = vault.digest(request.rawBody);
  // The lock lives as long as the transaction: whoever holds it is still running.
  const lockKey = `${accountId} ${owner} ${method} ${path} ${key}`;
  const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${lockKey}, 0)) as locked`.execute(db);
  if (!rows[0]?.locked) throw new ApiError('idempotency_conflict', { headers: { 'retry-after': '1' } });

  const first = await db
    .selectFrom('idempotency_keys')
    .select([
      'request_hash',
      'status',
      'headers',
      'body',
      sql<boolean>`created < now() - make_interval(hours => ${keptHours})`.as('expired'),
    ])
    .where('account_id', '=', accountId)
    .where('owner', 'in', [owner, fromBefore])
    .where('method', '=', method)
    .where('path', '=', path)
    .where('key', '=', key)
    .orderBy('owner', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (first && !first.expired) {
    // Read first: with another SECRET_KEY the request cannot be compared, either.
    const body = first.body === '' ? undefined : readAnswer(vault, first.body);
    if (first.request_hash !== requestHash) throw new ApiError('idempotency_mismatch');
    const headers = { ...(first.headers as Record<string, string>), 'idempotent-replayed': 'true' };
    return { status: first.status, headers, body };
  }

  const answer = await work();
  const text = answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
  const stored = {
    request_hash: requestHash,
    status: answer.status,
    headers: JSON.stringify(answer.headers ?? {}),
    body: text === undefined ? '' : vault.seal(text),
  };
  await db
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, owner, method, path, key, ...stored })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'owner', 'method', 'path', 'key'])
        .doUpdateSet({ ...stored, created: sql`excluded.created` }),
    )
    .execute();
  return answer;
}

/** Reads the stored answer. If it was stored under another SECRET_KEY, the work must not be done again: it was done. */
function readAnswer(vault: Vault, sealed: string): unknown {
  try {
    return JSON.parse(vault.open(sealed));
  } catch (error) {
    throw error instanceof Unreadable ? new ApiError('idempotency_unreadable') : error;
  }
}

/** Forgets keys past their day. */
export async function purgeIdempotencyKeysAnyAccount(db: Db): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created', '<', sql<string>`now() - make_interval(hours => ${keptHours})`)
    .execute();
}
