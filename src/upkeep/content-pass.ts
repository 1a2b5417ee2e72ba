import { sql } from 'kysely';
import type { Deps, Task } from '../deps.ts';
import { isUnreadable } from '../platform/content/content.ts';
import { learnSeconds } from '../platform/content/follow.ts';
import { contentPassTask, findUnfinishedAnyAccount, notePass, readPass } from '../platform/content/passes.ts';
import { byteaArray, jsonTextArray } from '../platform/db/arrays.ts';
import { contentOf, type Db } from '../platform/db/connect/pool.ts';
import { FileStoreError } from '../platform/files/files.ts';
import { type ContentPlace, contentPlaces, type FilePlace, filePlaces } from './content-places.ts';

/**
 * Brings along what was stored before an account turned `encrypt_content` on or off: table by table in the order of their keys, a batch at a
 * time, then the files. Each value says itself whether it is encrypted, and each batch notes how far it is: a pass that is killed goes on,
 * and one that meets what others changed meanwhile leaves it. What was under way when it was turned is found by another walk, after which a walk
 * that changed nothing ends the pass.
 */

const mostAtOnce = 500;
const filesAtOnce = 50;
const mostCounted = 5_000_000;
/** The queue takes a task for dead after five minutes. */
const mostMs = 200_000;

export const contentTasks: Task[] = [
  {
    name: contentPassTask,
    batchSize: 1,
    // For passes whose task was lost, such as with a process that was killed.
    cron: '* * * * *',
    async handler(deps, payloads) {
      const { account } = (payloads[0] ?? {}) as { account?: string };
      const end = performance.now() + mostMs;
      for (const accountId of account === undefined
        ? await findUnfinishedAnyAccount(deps.db, deps.clock.now())
        : [account]) {
        const isDone = await passContent(deps, accountId, { mostMs: end - performance.now() });
        if (isDone) continue;
        const startAfter = new Date(deps.clock.now().getTime() + learnSeconds * 1000);
        await deps.queue.enqueue(deps.db, contentPassTask, [{ account: accountId }], { startAfter });
      }
    },
  },
];

type PassDeps = Pick<Deps, 'db' | 'files' | 'log' | 'clock'>;

/** Goes on with the pass of an account for so long, by one batch at least. True: it is over. */
export async function passContent(deps: PassDeps, accountId: string, { mostMs }: { mostMs: number }): Promise<boolean> {
  const { db, clock } = deps;
  const end = performance.now() + mostMs;
  const found = await readPass(db, accountId);
  // This process has to know, or it would undo what it does.
  if (!found || contentOf(db).isOn(accountId) !== found.encrypt) return found === undefined;
  const places = [...contentPlaces, ...filePlaces];
  let pass = found;
  if (pass.total === null) {
    pass = { ...pass, total: await countPlaces(db, accountId) };
    if (!(await notePass(db, accountId, pass, clock.now()))) return false;
  }
  const total = pass.total!;
  let index = Math.max(
    places.findIndex((place) => nameOf(place) === pass.place),
    0,
  );
  for (;;) {
    const place = places[index]!;
    const { next, changed, looked }: Step =
      'key' in place
        ? await columnStep(db, accountId, place, pass.after)
        : await fileStep(deps, accountId, place, pass.after);
    if (next === undefined) index++;
    const following = places[index];
    pass = { ...pass, after: next ?? [], changed: pass.changed + changed, seen: Math.min(pass.seen + looked, total) };
    if (!following) break;
    pass = { ...pass, place: nameOf(following) };
    if (!(await notePass(db, accountId, pass, clock.now()))) return false;
    if (performance.now() > end) return false;
  }
  const isOver = pass.changed === 0;
  await notePass(db, accountId, { ...pass, place: '', after: [], changed: 0, seen: total }, clock.now(), { isOver });
  return isOver;
}

const nameOf = ({ table, column }: { table: string; column: string }): string => `${table}.${column}`;

interface Step {
  /** Where to go on; undefined: the place is done. */
  next: string[] | undefined;
  changed: number;
  /** How many rows or files were there. */
  looked: number;
}

/** How many rows and files a walk has before it, for whoever waits for its end; of a giant, as many as are quickly counted. */
async function countPlaces(db: Db, accountId: string): Promise<number> {
  let total = 0;
  for (const place of [...contentPlaces, ...filePlaces]) {
    const some = 'key' in place ? sql`` : sql`and ${sql.ref(place.column)} is not null`;
    const { rows } = await sql<{ count: number }>`
      select count(*) from (
        select 1 from ${sql.table(place.table)} where account_id = ${accountId} ${some} limit ${mostCounted}) as counted`.execute(
      db,
    );
    total += rows[0]!.count;
  }
  return total;
}

/** Whether a stored value is encrypted. */
const isSealed = ({ type, column }: ContentPlace) => {
  const value = sql.ref(column);
  if (type === 'varchar') return sql`(left(${value}, 4) = E'\\x01c1:')`;
  if (type === 'json') return sql`(left(${value}::text, 1) = E'\\t')`;
  return sql`(substring(${value} from 1 for 8) = '\\x007061726c657901'::bytea)`;
};

async function columnStep(db: Db, accountId: string, place: ContentPlace, after: string[]): Promise<Step> {
  const content = contentOf(db);
  const { key, table, column, type } = place;
  const names = sql.join(key.map(([name]) => sql.ref(name)));
  const shown = sql.join(
    key.map(([name, type]) => (type === 'bytea' ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`)),
  );
  const beyond =
    after.length === 0 ? sql`` : sql`and (${names}) > (${sql.join(key.map((one, at) => keyValue(one, after[at]!)))})`;
  const value = sql.ref(column);
  const wanted = content.isOn(accountId);
  const { rows } = await sql<{ key: string[]; is_sealed: boolean; value: never; print: string }>`
    select array[${shown}] as key, ${isSealed(place)} as is_sealed,
      case when ${isSealed(place)} <> ${wanted} then ${value} end as value,
      case when ${isSealed(place)} <> ${wanted} then md5(${type === 'bytea' ? value : sql`${value}::text`}) end as print
    from ${sql.table(table)} where account_id = ${accountId} ${beyond} order by ${names} limit ${mostAtOnce}`.execute(
    db,
  );
  const changing = rows
    .filter((row) => row.is_sealed !== wanted && !isUnreadable(row.value))
    .map((row) => ({ ...row, stored: place.stored(content, accountId, row.value) }))
    .filter(({ stored }) => isStoredSealed(type, stored) === wanted);
  if (changing.length > 0) await rewrite(db, accountId, place, changing);
  return {
    next: rows.length < mostAtOnce ? undefined : rows.at(-1)!.key,
    changed: changing.length,
    looked: rows.length,
  };
}

const keyValue = ([, type]: readonly [string, 'uuid' | 'bytea'], text: string) =>
  type === 'bytea' ? sql`decode(${text}, 'hex')` : sql`${text}::uuid`;

/** Nothing is encrypted of an event without content, nor of an empty text. */
function isStoredSealed(type: ContentPlace['type'], stored: string | Buffer): boolean {
  if (typeof stored !== 'string') return stored.subarray(0, 8).toString('latin1') === '\u0000parley\u0001';
  return type === 'json' ? stored.startsWith('\t') : stored.startsWith('\u0001c1:');
}

async function rewrite(
  db: Db,
  accountId: string,
  { table, column, type, key }: ContentPlace,
  rows: { key: string[]; print: string; stored: string | Buffer }[],
): Promise<void> {
  const keys = key.map(([, type], at) => {
    const values = sql`${rows.map((row) => row.key[at]!)}::text[]`;
    return { values, name: sql.ref(`key${at}`), type };
  });
  const stored = rows.map((row) => row.stored);
  const parameter =
    type === 'bytea'
      ? sql`${byteaArray(stored as Buffer[])}::bytea[]`
      : type === 'json'
        ? sql`${jsonTextArray(stored as string[])}::json[]`
        : sql`${stored}::text[]`;
  const target = sql.ref(`target.${column}`);
  const same = key.map(([name], at) => {
    const given = sql.ref(`given.key${at}`);
    const value = keys[at]!.type === 'bytea' ? sql`decode(${given}, 'hex')` : sql`${given}::uuid`;
    return sql`target.${sql.ref(name)} = ${value}`;
  });
  // Compared with what was read: whoever changed it meanwhile has the last word.
  await sql`
    update ${sql.table(table)} as target set ${sql.ref(column)} = given.stored
    from unnest(${parameter}, ${rows.map(({ print }) => print)}::text[], ${sql.join(keys.map(({ values }) => values))})
      as given (stored, print, ${sql.join(keys.map(({ name }) => name))})
    where target.account_id = ${accountId} and ${sql.join(same, sql` and `)}
      and md5(${type === 'bytea' ? target : sql`${target}::text`}) = given.print`.execute(db);
}

async function fileStep(
  { db, files, log }: PassDeps,
  accountId: string,
  place: FilePlace,
  after: string[],
): Promise<Step> {
  const { rows } = await sql<{ uuid: string; named: unknown }>`
    select uuid, ${sql.ref(place.column)} as named from ${sql.table(place.table)}
    where account_id = ${accountId} and uuid > ${after[0] ?? '00000000-0000-0000-0000-000000000000'}
    order by uuid limit ${filesAtOnce}`.execute(db);
  let changed = 0;
  let looked = 0;
  for (const row of rows) {
    if (row.named === null) continue;
    looked++;
    try {
      if (await files.bringAlong(place.fileOf(accountId, row))) changed++;
    } catch (error) {
      // A store that is away is waited for; one file that cannot be read does not hold up the others.
      if (error instanceof FileStoreError) throw error;
      log.error({ err: error, accountId, table: place.table, uuid: row.uuid }, 'A file could not be brought along');
    }
  }
  return { next: rows.length < filesAtOnce ? undefined : [rows.at(-1)!.uuid], changed, looked };
}
