import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { type Audience, type AudienceMember, audienceBatch, countAudience } from './index.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const newList = async (name: string, first: number, count: number): Promise<string> => {
  const { uuid } = (await app.call('POST', '/v2/lists/', { name })).body;
  const phone_numbers = Array.from({ length: count }, (_, at) => `+44770${3_000_000 + first + at}`);
  await app.call('POST', `/v2/lists/${uuid}/contacts/`, { phone_numbers });
  return uuid;
};
const now = async (): Promise<string> =>
  (await sql<{ now: string }>`select clock_timestamp() as now`.execute(app.deps.db)).rows[0]!.now;

/** Everybody, with the number of calls that it took. */
async function readAll(audience: Audience, limit: number, accountId = app.accountId) {
  const members: AudienceMember[] = [];
  let after: string | null = null;
  let calls = 0;
  do {
    const batch = await audienceBatch(app.deps.db, accountId, { ...audience, after, limit });
    assert.ok(batch.members.length <= limit);
    members.push(...batch.members);
    after = batch.next;
    calls++;
  } while (after !== null);
  return { members, calls };
}
const digitsOf = (members: AudienceMember[]): number[] =>
  members.map((member) => (member.deleted ? -1 : Number(member.digits.slice(5)) - 3_000_000)).sort((a, b) => a - b);
const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe('an audience', () => {
  it('is who was on any of the lists and on none of the excluded ones at that moment, each once, at any batch size', async () => {
    const lists = [await newList('A', 0, 30), await newList('B', 20, 30), await newList('None', 0, 0)];
    const excluded = await newList('Not', 10, 5);
    const audience = { lists, excludedLists: [excluded], segment: [], at: await now() };
    const expected = range(0, 50).filter((n) => n < 10 || n >= 15);
    for (const limit of [1, 7, 45, 46, 50, 1000]) {
      const { members } = await readAll(audience, limit);
      assert.deepEqual(digitsOf(members), expected, `limit ${limit}`);
      const uuids = members.map(({ uuid }) => uuid);
      assert.deepEqual(uuids, uuids.toSorted());
    }
    assert.equal(await countAudience(app.deps.db, app.accountId, audience), expected.length);
    const [first] = (await readAll(audience, 10)).members;
    assert.deepEqual(Object.keys(first!).sort(), [
      ...['attributes', 'digits', 'language_code', 'name', 'phone_number', 'time_zone', 'uuid'],
    ]);
    assert.deepEqual((await readAll(audience, 10, lists[0])).members, [], 'another account has nobody there');
  });

  it('stays as it was at that moment, whoever joins, leaves or is deleted', async () => {
    const list = await newList('Then', 100, 10);
    const excluded = await newList('Then not', 100, 2);
    const before = { lists: [list], excludedLists: [excluded], segment: [], at: await now() };
    await app.call('POST', `/v2/lists/${list}/contacts/`, { phone_numbers: ['+447703000150'] });
    await app.call('DELETE', `/v2/lists/${list}/contacts/`, { phone_numbers: ['+447703000105'] });
    await app.call('DELETE', `/v2/lists/${excluded}/contacts/`, { all: true });
    const gone = (await app.call('GET', '/v2/contacts/?phone_number=447703000106')).body.results[0].uuid;
    await app.call('DELETE', `/v2/contacts/${gone}/`);
    await app.call('DELETE', `/v2/lists/${list}/`);
    const { members } = await readAll(before, 3);
    assert.deepEqual(digitsOf(members), [-1, 102, 103, 104, 105, 107, 108, 109]);
    assert.deepEqual(
      members.find(({ deleted }) => deleted),
      { uuid: gone, deleted: true },
    );
    assert.equal(await countAudience(app.deps.db, app.accountId, before), 8);
    const later = { ...before, at: await now() };
    assert.deepEqual(digitsOf((await readAll(later, 3)).members), [100, 101, 102, 103, 104, 107, 108, 109, 150]);
  });

  it('is read in steps of bounded work, even where nearly everybody is excluded', async () => {
    const list = await newList('Many', 200, 200);
    const excluded = await newList('All but one', 200, 199);
    const audience = { lists: [list], excludedLists: [excluded], segment: [], at: await now() };
    const { members, calls } = await readAll(audience, 20);
    assert.deepEqual([digitsOf(members), calls], [[399], 11]);
  });
});
