import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { earlier } from '../../../../test/kit/postgres/earlier.ts';
import { purgeMembershipsAnyAccount } from '../index.ts';

const url = '/v2/lists/';
const nobody = '01890000-0000-7000-8000-000000000000';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

let made = 0;
const newList = async (): Promise<string> => {
  const answer = await app.call('POST', url, { name: `List ${++made}` });
  assert.equal(answer.status, 201);
  return answer.body.uuid;
};
const number = (n: number): string => `+44770${2_000_000 + n}`;
const numbers = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => number(first + at));
const add = (list: string, body: object, token = app.token) =>
  app.call('POST', `${url}${list}/contacts/`, body, { token });
const remove = (list: string, body: object) => app.call('DELETE', `${url}${list}/contacts/`, body);
const countOf = async (list: string): Promise<number> => (await app.call('GET', `${url}${list}/`)).body.contact_count;
const presentOn = async (list: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from list_members where list = ${list} and removed_at is null`.execute(app.deps.db);
  return rows[0]!.count;
};

describe(url, () => {
  it('is made, read, replaced, changed and deleted; each change is told', async () => {
    const created = await app.call('POST', url, { name: 'Newsletter' });
    const { uuid, created: at, modified, ...rest } = created.body;
    assert.deepEqual(rest, { name: 'Newsletter', description: '', contact_count: 0 });
    const one = `${url}${uuid}/`;
    assert.equal((await app.call('PATCH', one, { description: 'Weekly' })).body.description, 'Weekly');
    assert.deepEqual((await app.call('PUT', one, { name: 'NEWSLETTER' })).body.description, '');
    assert.deepEqual((await app.call('GET', `${url}?name=newsletter`)).body.results[0].uuid, uuid);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PUT' ? { name: 'Mine' } : method === 'PATCH' ? {} : undefined;
      assert.equal((await app.call(method, one, body, { token: app.otherToken })).status, 404, method);
    }
    assert.equal((await app.call('DELETE', one)).status, 204);
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await app.call(method, one)).status, 404);
    const events = (await app.call('GET', `/v2/events/?subject=${uuid}&ordering=created`)).body.results;
    assert.deepEqual(
      events.map(({ kind }: { kind: string }) => kind),
      ['list.created', 'list.updated', 'list.updated', 'list.deleted'],
    );
    assert.equal((await app.call('POST', url, { name: 'newsletter' })).status, 201);
  });

  it('400 for a name that another list of the account has, whatever the case', async () => {
    const errors = { name: ['A list with this name already exists.'] };
    await app.call('POST', url, { name: 'Éclair' });
    assert.deepEqual((await app.call('POST', url, { name: 'éCLAIR' })).body, errors);
    const other = await newList();
    assert.deepEqual((await app.call('PATCH', `${url}${other}/`, { name: 'ÉCLAIR' })).body, errors);
    assert.equal((await app.call('POST', url, { name: 'Éclair' }, { token: app.otherToken })).status, 201);
    assert.deepEqual((await app.call('POST', url, { name: ' ' })).body, { name: ['This field may not be blank.'] });
    assert.deepEqual((await app.call('POST', url, {})).body, { name: ['This field is required.'] });
  });
});

describe(`${url}{uuid}/contacts/`, () => {
  it('takes people by number or by contact, each once; numbers of nobody make contacts', async () => {
    const list = await newList();
    const first = await add(list, { phone_numbers: [number(1), number(2), number(2).replace('+', '00')] });
    assert.deepEqual([first.status, first.body], [200, { added: 2, created: 2, contact_count: 2 }]);
    const again = await add(list, { phone_numbers: [number(2), number(3)] });
    assert.deepEqual(again.body, { added: 1, created: 1, contact_count: 3 });
    const page = (await app.call('GET', `${url}${list}/contacts/?ordering=created&page_size=2`)).body;
    assert.equal(page.count, 3);
    const rest = (await app.call('GET', page.next)).body.results;
    const uuids: string[] = [...page.results, ...rest].map(({ uuid }) => uuid);
    assert.equal(new Set(uuids).size, 3);
    const other = await newList();
    const byContact = await add(other, { contacts: [...uuids, uuids[0]!.toUpperCase()] });
    assert.deepEqual(byContact.body, { added: 3, created: 0, contact_count: 3 });
    assert.deepEqual((await remove(other, { contacts: [uuids[0], nobody] })).body, { removed: 1, contact_count: 2 });
    assert.deepEqual((await remove(other, { phone_numbers: [number(2), number(999)] })).body, {
      removed: 1,
      contact_count: 1,
    });
    assert.deepEqual((await remove(other, { all: true })).body, { removed: 1, contact_count: 0 });
    assert.deepEqual((await remove(other, { all: true })).body, { removed: 0, contact_count: 0 });
    assert.equal(await countOf(list), 3);
  });

  it('who comes back is there since the first time', async () => {
    const list = await newList();
    const dates = () =>
      app.deps.db.selectFrom('list_members').select(['added_at', 'removed_at']).where('list', '=', list).execute();
    await add(list, { phone_numbers: [number(1)] });
    const [before] = await dates();
    await remove(list, { all: true });
    assert.ok((await dates())[0]!.removed_at);
    await add(list, { phone_numbers: [number(1)] });
    assert.deepEqual(await dates(), [before]);
  });

  it('400 for no people, two kinds of them, too many, and those who do not exist or are another tenant’s', async () => {
    const list = await newList();
    const theirs = await app.call('POST', '/v2/contacts/', { phone_number: number(7) }, { token: app.otherToken });
    for (const [body, field] of [
      [{}, 'non_field_errors'],
      [{ contacts: [nobody], phone_numbers: [number(1)] }, 'non_field_errors'],
      [{ contacts: [] }, 'contacts'],
      [{ contacts: [nobody] }, 'contacts'],
      [{ contacts: [theirs.body.uuid] }, 'contacts'],
      [{ phone_numbers: ['0123'] }, 'phone_numbers'],
      [{ phone_numbers: ['012345'] }, 'phone_numbers'],
      [{ phone_numbers: numbers(0, 1001) }, 'phone_numbers'],
    ] as const) {
      const { status, body: errors } = await add(list, body);
      assert.deepEqual([status, Object.keys(errors)], [400, [field]], JSON.stringify(body).slice(0, 100));
    }
    assert.deepEqual((await remove(list, { all: false })).status, 400);
    assert.equal((await add(list, { phone_numbers: [number(1)] }, app.otherToken)).status, 404);
    assert.equal((await add(nobody, { phone_numbers: [number(1)] })).status, 404);
    assert.equal(await countOf(list), 0);
  });

  it('counts exactly, however many come and go at once', async () => {
    const [one, other] = [await newList(), await newList()];
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const list = at % 4 === 0 ? other : one;
        const people = { phone_numbers: at % 2 ? numbers(at % 7, 40) : numbers(at % 7, 40).reverse() };
        const { status } = at % 3 === 2 ? await remove(list, people) : await add(list, people);
        return status;
      }),
    );
    // Where the machine stands still for seconds, some wait for a lock in vain; of these nothing is done.
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
    assert.ok(statuses.includes(200));
    for (const list of [one, other]) assert.equal(await countOf(list), await presentOn(list));
    const contacts = (await app.call('GET', `${url}${one}/contacts/?page_size=200`)).body.results;
    await Promise.all([
      ...contacts.map(({ uuid }: { uuid: string }) => app.call('DELETE', `/v2/contacts/${uuid}/`)),
      add(one, { phone_numbers: numbers(0, 40) }),
      remove(one, { all: true }),
    ]);
    for (const list of [one, other]) assert.equal(await countOf(list), await presentOn(list));
    const { rows } = await sql`select from list_members left join contacts
      on contacts.account_id = list_members.account_id and contacts.uuid = contact
      where list in (${one}, ${other}) and removed_at is null and contacts.uuid is null`.execute(app.deps.db);
    assert.equal(rows.length, 0, 'nobody who was deleted is on a list');
  });
});

it('memberships that ended long ago are forgotten, and those of lists deleted long ago; others are not', async () => {
  const [list, deleted] = [await newList(), await newList()];
  const { db } = app.deps;
  for (const each of [list, deleted]) await add(each, { phone_numbers: numbers(100, 4) });
  await app.call('DELETE', `${url}${deleted}/`);
  await remove(list, { phone_numbers: numbers(100, 2) });
  const left = async () =>
    (await db.selectFrom('list_members').select('list').where('list', 'in', [list, deleted]).execute()).length;
  await purgeMembershipsAnyAccount(db);
  assert.equal(await left(), 8);
  await sql`update list_members set removed_at = ${earlier(sql`removed_at`, '91 days')}
    where contact = (select contact from list_members where list = ${list} and removed_at is not null limit 1)`.execute(
    db,
  );
  await sql`update lists set deleted_at = ${earlier(sql`deleted_at`, '91 days')} where uuid = ${deleted}`.execute(db);
  await purgeMembershipsAnyAccount(db);
  assert.equal(await left(), 3);
});
