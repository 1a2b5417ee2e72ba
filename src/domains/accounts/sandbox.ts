import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Route } from '../../platform/http/route.ts';

/**
 * How far an account uses the sandbox. adopt: what nobody registered is taken into use, as somebody who tries things out wishes.
 * registered: only what was registered on it works, so that a typo in a live sender is an error. off: nothing does.
 */
export const sandboxModes = ['adopt', 'registered', 'off'] as const;
export type SandboxMode = (typeof sandboxModes)[number];

/** The cache of these; all is forgotten when an account changes. */
const modeCache = 'sandbox-modes';

type Lookup = Pick<Deps, 'db' | 'caches'>;

export const sandboxMode = async (deps: Lookup, accountId: string): Promise<SandboxMode> =>
  (await findSandboxModes(deps, [accountId])).get(accountId)!;

/** Usually costs no query, and may be a moment behind. */
export async function findSandboxModes(
  { db, caches }: Lookup,
  accountIds: string[],
): Promise<Map<string, SandboxMode>> {
  const cache = caches.of<SandboxMode>(modeCache);
  const known = new Map<string, SandboxMode>();
  for (const accountId of accountIds) {
    const mode = cache.get(accountId);
    if (mode !== undefined) known.set(accountId, mode);
  }
  const unknown = accountIds.filter((accountId) => !known.has(accountId));
  if (unknown.length === 0) return known;
  const stamp = cache.stamp();
  const rows = await db.selectFrom('accounts').select(['uuid', 'sandbox']).where('uuid', 'in', unknown).execute();
  for (const { uuid, sandbox } of rows) {
    known.set(uuid, sandbox as SandboxMode);
    cache.set(uuid, sandbox as SandboxMode, stamp);
  }
  return known;
}

/** Whether something on the sandbox may be used; `adopted`: nobody registered it. */
export const isUsable = (mode: SandboxMode, { adopted }: { adopted: boolean }): boolean =>
  mode === 'adopt' || (mode === 'registered' && !adopted);

export const sandboxOff = 'The sandbox of this account is off.';

/** What follows from a first live registration: what its answer warns of, and what the timeline says. */
export interface WentLive {
  warnings: string[];
  events: {
    accountId: string;
    subjectType: 'account';
    subject: string;
    kind: 'account.sandbox_left';
    data: Record<string, unknown>;
  }[];
}

const liveWarning =
  'This is the first live sender, SMS link or trunk of the account, so its setting `sandbox` became `registered`: senders, ' +
  'templates and links that nobody registered are refused from now on.';

/**
 * To be called in the transaction that registers a live sender, SMS link or trunk. With the first one an account that adopted
 * whatever it was told stops doing so: a typo would be answered as if it had worked. Whoever sets `adopt` again keeps it.
 */
export async function goLive(deps: Deps, accountId: string): Promise<WentLive> {
  const before = await markLive(deps.db, accountId);
  if (before !== 'adopt') return { warnings: [], events: [] };
  deps.caches.forget();
  deps.log.info({ accountId, sandbox: 'registered' }, 'The account registered its first live sender, link or trunk');
  const data = { sandbox: 'registered', before };
  const event = { accountId, subjectType: 'account', subject: accountId, kind: 'account.sandbox_left', data } as const;
  return { warnings: [liveWarning], events: [event] };
}

/** The mode it had when it went live just now; undefined: it was live already. */
async function markLive(db: Db, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ before: string }>`
    with before as (
      select uuid, sandbox from accounts where uuid = ${accountId} and live_since is null for no key update)
    update accounts set live_since = now(), modified = now(),
      sandbox = case when before.sandbox = 'adopt' then 'registered' else before.sandbox end
    from before where accounts.uuid = before.uuid
    returning before.sandbox as before`.execute(db);
  return rows[0]?.before;
}

/** The operations of the sandbox, refused while it is off. */
export const whileSandboxIsOn = <D extends Deps>(routes: Route<D>[]): Route<D>[] =>
  routes.map((route) => ({
    ...route,
    async handler(call) {
      if ((await sandboxMode(call.deps, call.accountId)) === 'off') throw new ApiError('sandbox_off');
      return route.handler(call);
    },
  }));
