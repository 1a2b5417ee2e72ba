import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { addPeer, type Peer } from '../../../../test/kit/templates/template-peer.ts';
import { CarrierRefusal } from '../../../carriers/ports/carriers.ts';
import type { CarrierTemplate } from '../../../carriers/ports/chat.ts';
import { eventsOf } from '../../timeline/index.ts';
import { submitTemplate } from '../submit.ts';
import { applyTemplateEvents, type TemplateEvent } from './events.ts';
import { syncAllTemplates, syncTemplates } from './sync.ts';

const number = '+34900111222';
const url = '/v2/chatapp/message-templates/';
const components = [{ type: 'BODY', text: 'Your order came.' }];
let app: TestApp;
let peer: Peer;
let chatappAccount: string;
let hook: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  chatappAccount = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: number })).body.uuid;
  peer = await addPeer(app.deps, chatappAccount);
  const wanted = { url: 'https://example.com/', events: ['chatapp.template.status'] };
  hook = (await app.call('POST', '/v2/chatapp/webhooks/', wanted)).body.uuid;
});
after(() => app.close());
afterEach(async () => {
  peer.reset();
  await app.deps.db.deleteFrom('message_templates').execute();
  await app.deps.db.deleteFrom('webhook_deliveries').execute();
  await sql`delete from pgboss.job`.execute(app.deps.db);
});

/** The platform has this template. */
const has = (name: string, more: Partial<CarrierTemplate> = {}) =>
  peer.standing.set(name, {
    id: name,
    name,
    languageCode: 'es',
    category: 'UTILITY',
    parameterFormat: 'POSITIONAL',
    components,
    status: 'APPROVED',
    quality: 'GREEN',
    rejectedReason: 'NONE',
    ...more,
  });
const create = async (name: string) => {
  const draft = { chatapp_number: number, name, language_code: 'es', category: 'UTILITY', components };
  return (await app.call('POST', url, draft)).body;
};
const sync = () => syncTemplates(app.deps, { accountId: app.accountId, chatappAccount });
const tell = (event: Partial<TemplateEvent> & { name: string }) =>
  applyTemplateEvents(app.deps, app.accountId, [
    { chatappAccounts: [chatappAccount], id: event.name, languageCode: 'es', ...event },
  ]);
const listed = async (): Promise<string[]> =>
  (await app.call('GET', `${url}?ordering=created`)).body.results.map(
    ({ name, status, quality }: Record<string, string>) => `${name} ${status} ${quality}`,
  );
const heard = async (): Promise<string[]> => {
  const rows = await app.deps.db
    .selectFrom('webhook_deliveries')
    .select('payload')
    .where('endpoint', '=', hook)
    .orderBy('uuid')
    .execute();
  return rows
    .map(({ payload }) => JSON.parse(payload).data)
    .map(({ name, status, quality }) => `${name} ${status} ${quality}`);
};
const jobs = async (task: string): Promise<object[]> => {
  const { rows } = await sql<{ data: object }>`select data from pgboss.job where name = ${task}`.execute(app.deps.db);
  return rows.map(({ data }) => data);
};

describe('a sync', () => {
  test('takes over what the platform has: new ones, changes, and those that are gone', async () => {
    has('one');
    has('two', { status: 'REJECTED', rejectedReason: 'PROMOTIONAL', languageCode: 'pt-BR' });
    await sync();
    const { results } = (await app.call('GET', `${url}?name=two`)).body;
    const { uuid, created, modified, ...rest } = results[0];
    assert.deepEqual(rest, {
      chatapp_number: number,
      name: 'two',
      language_code: 'pt_BR',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components,
      status: 'REJECTED',
      quality: 'GREEN',
      rejected_reason: 'PROMOTIONAL',
    });
    assert.deepEqual(await heard(), [], 'what was there before is no news');

    await sync();
    assert.equal((await app.call('GET', `${url}${uuid}/`)).body.modified, modified, 'nothing changed, nothing written');

    has('one', { status: 'PAUSED', quality: 'RED' });
    peer.standing.delete('two');
    await sync();
    assert.deepEqual(await listed(), ['one PAUSED RED', 'two DELETED GREEN']);
    assert.deepEqual(await heard(), ['one PAUSED RED', 'two DELETED GREEN']);
    const kinds = (await eventsOf(app.deps.db, app.accountId, uuid).orderBy('uuid').execute()).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['template.found', 'template.deleted']);
    has('two', { languageCode: 'pt_BR' });
    await sync();
    assert.deepEqual(await listed(), ['one PAUSED RED', 'two DELETED GREEN', 'two APPROVED GREEN']);
  });

  test('leaves alone what waits to be submitted or deleted, and what changed while it looked', async () => {
    const waiting = await create('waiting');
    has('waiting', { components: [{ type: 'BODY', text: 'Another.' }] });
    has('doomed');
    has('told');
    await sync();
    assert.deepEqual((await app.call('GET', `${url}${waiting.uuid}/`)).body.components, components);
    const { results } = (await app.call('GET', `${url}?name=doomed`)).body;
    await app.call('DELETE', `${url}${results[0].uuid}/`);
    const fresh = await create('fresh');
    peer.meanwhile = async (call) => {
      if (call !== 'list') return;
      await tell({ name: 'told', status: 'PAUSED' });
      await submitTemplate(app.deps, { accountId: app.accountId, uuid: fresh.uuid });
    };
    await sync();
    assert.deepEqual((await listed()).toSorted(), [
      'fresh PENDING UNKNOWN',
      'told PAUSED GREEN',
      'waiting PENDING UNKNOWN',
    ]);
  });

  test('does not mistake a rejected draft for one that the platform deleted, nor a refusal for an empty list', async () => {
    const { uuid } = await create('draft');
    peer.meanwhile = async () => {
      throw new CarrierRefusal('190', 'The token expired.');
    };
    await submitTemplate(app.deps, { accountId: app.accountId, uuid });
    has('one');
    peer.standing.delete(peer.idOf('draft'));
    peer.meanwhile = async () => {};
    await sync();
    peer.meanwhile = async () => {
      throw new CarrierRefusal('190', 'The token expired.');
    };
    await sync();
    assert.deepEqual(await listed(), ['draft REJECTED UNKNOWN', 'one APPROVED GREEN']);
  });

  test('is asked for by the API, for all numbers or one; every hour by itself, with what was given up', async () => {
    const asked = await app.call('POST', `${url}sync/`, { chatapp_number: number });
    assert.deepEqual([asked.status, asked.body], [202, { chatapp_accounts: 1 }]);
    assert.deepEqual((await app.call('POST', `${url}sync/`, {})).body, { chatapp_accounts: 1 });
    const job = { accountId: app.accountId, chatappAccount };
    assert.deepEqual(await jobs('templates.sync'), [job, job]);

    const [left, doomed, fresh] = [await create('left'), await create('doomed'), await create('fresh')];
    await app.call('DELETE', `${url}${doomed.uuid}/`);
    await sql`update message_templates set modified = now() - interval '2 hours'
      where uuid in (${left.uuid}, ${doomed.uuid})`.execute(app.deps.db);
    await sql`delete from pgboss.job`.execute(app.deps.db);
    await syncAllTemplates(app.deps);
    assert.deepEqual(await jobs('templates.sync'), [job]);
    assert.deepEqual(await jobs('templates.submit'), [{ accountId: app.accountId, uuid: left.uuid }]);
    assert.deepEqual(await jobs('templates.delete'), [{ accountId: app.accountId, uuid: doomed.uuid }]);
    assert.ok(fresh.uuid);
  });

  test('of many senders is spread over the hour, the first of them at once', async () => {
    const { db } = app.deps;
    await sql`
      insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier, business_account_id)
      select ${app.accountId}, uuidv7(), '+3491' || n, '3491' || n, 'peer', '17' from generate_series(10000, 10998) as n`.execute(
      db,
    );
    await syncAllTemplates(app.deps);
    const { rows } = await sql<{ minute: number; jobs: number }>`
      select round(extract(epoch from start_after - created_on) / 60)::int as minute, count(*)::int as jobs
      from pgboss.job where name = 'templates.sync' group by 1 order by 1`.execute(db);
    await sql`delete from chatapp_accounts where digits like '3491%'`.execute(db);
    assert.deepEqual(
      rows,
      Array.from({ length: 10 }, (_, index) => ({ minute: index * 5, jobs: 100 })),
    );
  });
});

describe('what the platform reports about a template', () => {
  test('changes it in whatever order it comes: no way back to PENDING, none from the end', async () => {
    has('one', { status: 'PENDING' });
    await sync();
    await tell({ name: 'one', status: 'APPROVED' });
    await tell({ name: 'one', status: 'PENDING' });
    await tell({ name: 'one', quality: 'RED' });
    await tell({ name: 'one', status: 'PAUSED', reason: 'FIRST_PAUSE' });
    await tell({ name: 'one', category: 'MARKETING' });
    assert.equal((await app.call('GET', url)).body.results[0].rejected_reason, 'FIRST_PAUSE');
    await tell({ name: 'one', status: 'REINSTATED', reason: 'NONE' });
    await tell({ name: 'one', status: 'DELETED' });
    await tell({ name: 'one', status: 'APPROVED' });
    assert.deepEqual(await heard(), [
      'one APPROVED GREEN',
      'one APPROVED RED',
      'one PAUSED RED',
      'one APPROVED RED',
      'one DELETED RED',
    ]);
    const { category, rejected_reason, status } = (await app.call('GET', url)).body.results[0];
    assert.deepEqual([category, rejected_reason, status], ['MARKETING', '', 'DELETED']);
  });

  test('counts in the order of a batch, once for each sender that shares the template', async () => {
    has('one', { status: 'PENDING' });
    await sync();
    const event = { chatappAccounts: [chatappAccount], id: 'one', name: 'one', languageCode: 'es' };
    await applyTemplateEvents(app.deps, app.accountId, [
      { ...event, status: 'APPROVED' },
      { ...event, status: 'PAUSED', quality: 'YELLOW' },
    ]);
    assert.deepEqual(await heard(), ['one PAUSED YELLOW']);
    const other = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+34900111223' })).body.uuid;
    await applyTemplateEvents(app.deps, app.accountId, [
      { ...event, status: 'APPROVED', chatappAccounts: [chatappAccount, other] },
    ]);
    assert.deepEqual(await listed(), ['one APPROVED YELLOW']);
    assert.deepEqual(await jobs('templates.sync'), [{ accountId: app.accountId, chatappAccount: other }]);
  });

  test('about one that nobody knows has the list fetched; about one that is gone it does not', async () => {
    await tell({ name: 'stranger', status: 'DELETED' });
    assert.deepEqual(await jobs('templates.sync'), []);
    await tell({ name: 'stranger', status: 'APPROVED' });
    assert.equal((await jobs('templates.sync')).length, 1);
  });

  test('of another tenant is not ours', async () => {
    has('one');
    await sync();
    const { account_id: other } = await app.deps.db
      .selectFrom('tokens')
      .select('account_id')
      .where('account_id', '<>', app.accountId)
      .executeTakeFirstOrThrow();
    await applyTemplateEvents(app.deps, other, [
      { chatappAccounts: [chatappAccount], id: 'one', name: 'one', languageCode: 'es', status: 'DISABLED' },
    ]);
    assert.deepEqual(await listed(), ['one APPROVED GREEN']);
  });

  test('decides at once what may be sent', async () => {
    has('one');
    await sync();
    const send = () =>
      app.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: number,
        to_chatapp_number: '+34600111222',
        type: 'TEMPLATE',
        template: { template_name: 'one' },
      });
    assert.equal((await send()).status, 201);
    await tell({ name: 'one', status: 'PAUSED' });
    assert.deepEqual((await send()).body, {
      template: { template_name: ['No approved template has this name and language.'] },
    });
  });
});
