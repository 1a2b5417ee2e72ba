import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

describe('If-Match', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());

  const make = async (url: string, body: object): Promise<string> => {
    const answer = await app.call('POST', url, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return `${url}${answer.body.uuid}/`;
  };
  const tagOf = async (address: string): Promise<string> => String((await app.call('GET', address)).headers['etag']);
  const change = (address: string, body: object, tag: string, method: 'PATCH' | 'PUT' | 'DELETE' = 'PATCH') =>
    app.call(method, address, method === 'DELETE' ? undefined : body, { headers: { 'if-match': tag } });
  let next = 7700_900200;
  const newContact = () => make('/v2/contacts/', { phone_number: `+44${next++}`, name: 'Ana' });

  it('of several who change one version at once, exactly one succeeds', async () => {
    const address = await newContact();
    const tag = await tagOf(address);
    const names = ['Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gil'];
    const answers = await Promise.all(names.map((name) => change(address, { name }, tag)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412]);
    const won = answers.findIndex(({ status }) => status === 200);
    assert.equal((await app.call('GET', address)).body.name, names[won]);
  });

  it('nor do two succeed where nothing was stored before', async () => {
    const address = '/v2/insights-config/';
    const tag = await tagOf(address);
    const minutes = [11, 12, 13, 14];
    const answers = await Promise.all(minutes.map((one) => change(address, { reply_time_target_minutes: one }, tag)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412]);
  });

  it('sees the change of somebody who sent no tag, also one that is not committed yet', async () => {
    const address = await newContact();
    const tag = await tagOf(address);
    const uuid = address.split('/').at(-2)!;
    const { waiting } = await app.deps.db.transaction().execute(async (db) => {
      await db.updateTable('contacts').set({ name: 'Zoe' }).where('uuid', '=', uuid).execute();
      const waiting = change(address, { name: 'Ben' }, tag);
      await until(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(app.deps.db);
        return rows.length > 0;
      });
      return { waiting };
    });
    assert.equal((await waiting).status, 412);
    assert.equal((await app.call('GET', address)).body.name, 'Zoe');
  });

  it('holds for DELETE and PUT, and a change of another object does not matter', async () => {
    const address = await newContact();
    const tag = await tagOf(address);
    await change(await newContact(), { name: 'Ben' }, '*');
    const put = await change(address, { phone_number: '+447700900199', name: 'Ana B.' }, tag, 'PUT');
    assert.equal(put.status, 200);
    assert.equal((await change(address, {}, tag, 'DELETE')).status, 412);
    assert.equal((await change(address, {}, String(put.headers['etag']), 'DELETE')).status, 204);
    assert.equal((await change(address, { name: 'Ana' }, '*')).status, 404);
  });

  it('is not refused for what the server notes by itself, of which a reader still hears', async () => {
    const address = await make('/v2/lists/', { name: 'Viewings' });
    const tag = await tagOf(address);
    await app.call('POST', `${address}contacts/`, { phone_numbers: ['+44 7700 900190'] });
    const read = await app.call('GET', address, undefined, { headers: { 'if-none-match': tag } });
    assert.deepEqual([read.status, read.body.contact_count], [200, 1]);
    assert.equal((await change(address, { name: 'Viewings in May' }, tag)).status, 200);
  });

  it('notices a new secret, which is never shown, where the object says when it was modified', async () => {
    const link = { name: 'Main', host: 'smsc.example.com', port: 2775, system_id: 'a', password: 'b' };
    const address = await make('/v2/sms-links/', link);
    const tag = await tagOf(address);
    assert.equal((await change(address, { password: 'c' }, tag)).status, 200);
    assert.equal((await change(address, { password: 'd' }, tag)).status, 412);
  });

  it("another tenant's object is not found, whatever the tag", async () => {
    const address = await newContact();
    const headers = { 'if-match': await tagOf(address) };
    const answer = await app.call('PATCH', address, { name: 'Eve' }, { token: app.otherToken, headers });
    assert.equal(answer.status, 404);
  });

  it('a refused change leaves an audit entry no more than any other refusal', async () => {
    const address = await newContact();
    await change(address, { name: 'Ben' }, '"stale"');
    const { results } = (await app.call('GET', '/v2/audit-log/?page_size=200')).body;
    const entries = results.filter((entry: { path: string }) => entry.path === address);
    assert.deepEqual(entries, []);
    await change(address, { name: 'Ben' }, '*');
    const after = (await app.call('GET', '/v2/audit-log/?page_size=200')).body.results;
    assert.equal(after.filter((entry: { path: string }) => entry.path === address).length, 1);
  });

  it('without the header the last change wins, as before', async () => {
    const address = await newContact();
    for (const name of ['Ben', 'Cleo']) assert.equal((await app.call('PATCH', address, { name })).status, 200);
    assert.equal((await app.call('GET', address)).body.name, 'Cleo');
  });
});
