import type { Deps } from '../../deps.ts';
import { international } from '../../platform/phone.ts';
import { erasedKey } from '../optouts/index.ts';
import { type Person, parts } from './parts.ts';
import { countPart, type ErasureRow, listErasures, newestOf, type Row, rowsOf } from './queries.ts';

export const mostCounted = 10_000;
export const mostNewest = 10;
const chunkRows = 200;

export interface KnownPerson {
  number: string;
  names: string[];
  counts: Record<string, number>;
  newest: Record<string, Row[]>;
  erasures: ErasureRow[];
}

const personOf = ({ vault }: Pick<Deps, 'vault'>, accountId: string, digits: string): Person => ({
  digits,
  hash: erasedKey(vault, accountId, digits),
});

/** Everything that an account knows of a person: how much, and the newest of each. */
export async function readPerson(deps: Deps, accountId: string, digits: string): Promise<KnownPerson> {
  const { db } = deps;
  const person = personOf(deps, accountId, digits);
  const counts: KnownPerson['counts'] = {};
  const newest: KnownPerson['newest'] = {};
  for (const part of parts) {
    counts[part.name] = await countPart(db, accountId, part, person, mostCounted);
    newest[part.name] = counts[part.name] === 0 ? [] : await newestOf(db, accountId, part, person, mostNewest);
  }
  const erasures = await listErasures(db, accountId, person.hash);
  return { number: international(digits), names: namesOf(newest), counts, newest, erasures };
}

/** What the person is called, by whoever says so. */
function namesOf({ contacts = [], conversations = [], leads = [], sessions = [] }: Record<string, Row[]>): string[] {
  const names = [...contacts, ...leads, ...conversations].map(({ name }) => name);
  return [...new Set([...names, ...sessions.map((session) => session['aparty_name'])])].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
}

/** All of it, a line of JSON for each row. */
export async function* exportPerson(deps: Deps, accountId: string, digits: string): AsyncGenerator<string> {
  const person = personOf(deps, accountId, digits);
  yield lineOf({ kind: 'person', number: international(digits), exported: deps.clock.now().toISOString() });
  for (const part of parts.filter(({ isView }) => !isView)) {
    for await (const rows of rowsOf(deps.db, accountId, part, person, chunkRows)) {
      if (rows.length > 0) yield rows.map((row) => lineOf({ kind: part.name, ...row })).join('');
    }
  }
  for (const { created, actor_name, counts } of await listErasures(deps.db, accountId, person.hash)) {
    yield lineOf({ kind: 'erasures', erased: created, by: actor_name, counts });
  }
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
