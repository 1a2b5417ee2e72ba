import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { FlowPlatform } from '../../../test/kit/flows/flow-platform.ts';
import { CarrierRefusal, makeCarriers } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../platform/ids.ts';
import { eventsOf } from '../timeline/index.ts';
import { applyFlowEvents } from './events.ts';
import { submitFlow } from './submit.ts';
import { syncFlows } from './sync.ts';

const url = '/v2/chatapp/flows/';

describe('flows that change on the platform', () => {
  let app: TestApp;
  let platform: FlowPlatform;
  let deps: Deps;
  let number: string;
  let sender: string;
  let count = 0;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  beforeEach(async () => {
    platform = new FlowPlatform();
    const sandbox = app.deps.carriers.get('sandbox', 'chat');
    deps = { ...app.deps, carriers: makeCarriers([{ ...sandbox, chat: { ...sandbox.chat, flows: platform } }]) };
    number = `+4477009001${String(++count).padStart(2, '0')}`;
    sender = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: number })).body.uuid;
  });

  const put = (id: string, name: string, status = 'DRAFT', categories = ['OTHER']) =>
    platform.flows.set(id, { id, name, status, categories, validationErrors: [], definition: null });
  const create = async (name: string): Promise<string> =>
    (await app.call('POST', url, { chatapp_number: number, name, category: 'OTHER' })).body.uuid;
  const submit = (uuid: string) => submitFlow(deps, { accountId: app.accountId, uuid });
  const sync = () => syncFlows(deps, { accountId: app.accountId, uuid: sender });
  const shown = async (uuid: string) => (await app.call('GET', `${url}${uuid}/`)).body;
  const all = async (): Promise<Record<string, string>[]> =>
    (await app.call('GET', `${url}?ordering=created&chatapp_number=${encodeURIComponent(number)}`)).body.results;
  const apply = (id: string, status: string) =>
    applyFlowEvents(deps, app.accountId, [{ chatappAccounts: [sender], id, status }]);

  test('what was made there is taken over; what is gone is deprecated and gives up its name', async () => {
    put('a', 'Made there', 'PUBLISHED', ['SHOPPING', 'SURVEY']);
    put('b', 'Soon gone');
    await sync();
    const [first, second] = await all();
    assert.deepEqual(
      [first?.['name'], first?.['status'], first?.['category'], first?.['categories'], first?.['flow_id']],
      ['Made there', 'PUBLISHED', 'OTHER', ['SHOPPING', 'SURVEY'], 'a'],
    );
    await sync();
    assert.deepEqual(await all(), [first, second], 'nothing changes where nothing differs');
    platform.flows.delete('b');
    await sync();
    assert.equal((await shown(second!['uuid']!)).status, 'DEPRECATED');
    put('c', 'Soon gone');
    await sync();
    assert.deepEqual(
      (await all()).map(({ flow_id, status }) => [flow_id, status]),
      [
        ['a', 'PUBLISHED'],
        ['b', 'DEPRECATED'],
        ['c', 'DRAFT'],
      ],
    );
    const story = await eventsOf(deps.db, app.accountId, second!['uuid']!).execute();
    assert.deepEqual(
      story.map(({ kind, data }) => [kind, data]),
      [['flow.status', { status: 'DEPRECATED' }]],
    );
  });

  test('names, states and errors follow the platform, even when two flows swap their names', async () => {
    put('a', 'One');
    put('b', 'Two');
    await sync();
    put('a', 'Two', 'THROTTLED');
    put('b', 'One');
    platform.flows.get('b')!.validationErrors = [{ error: 'INVALID' }];
    await sync();
    assert.deepEqual(
      (await all()).map(({ flow_id, name, status, validation_errors }) => [flow_id, name, status, validation_errors]),
      [
        ['a', 'Two', 'THROTTLED', []],
        ['b', 'One', 'DRAFT', [{ error: 'INVALID' }]],
      ],
    );
  });

  test('a change of ours on its way there is not undone, and its name not given to another', async () => {
    const uuid = await create('Mine');
    await submit(uuid);
    await app.call('PATCH', `${url}${uuid}/`, { name: 'Mine now' });
    put('x', 'Mine now');
    await sync();
    assert.deepEqual(
      (await all()).map(({ flow_id, name }) => [flow_id, name]),
      [['f1', 'Mine now']],
    );
  });

  test('a flow whose creation was begun here is recognised; one that only has the same name is not', async () => {
    const [begun, other] = [await create('Begun'), await create('Other')];
    platform.troubles.set('create', 'lost');
    await assert.rejects(submit(begun));
    put('x', 'Other');
    await sync();
    assert.deepEqual([(await shown(begun)).flow_id, (await shown(other)).flow_id], ['f1', null]);
    assert.equal((await all()).length, 2);
  });

  test('what happens here while the platform answers is left alone', async () => {
    const uuid = await create('Busy');
    await submit(uuid);
    platform.meanwhile = async (step) => {
      if (step !== 'list') return;
      await app.call('PATCH', `${url}${uuid}/`, {
        status: 'PUBLISHED',
        definition: { version: '7.3', screens: [{ id: 'ONE' }] },
      });
      platform.meanwhile = undefined;
      await submit(uuid);
      await submit(await create('Just made'));
    };
    await sync();
    assert.deepEqual(
      (await all()).map(({ name, status }) => [name, status]),
      [
        ['Busy', 'PUBLISHED'],
        ['Just made', 'DRAFT'],
      ],
    );
  });

  test('a list that is refused for good changes nothing; one that may come later is asked for again', async () => {
    put('a', 'One');
    await sync();
    platform.troubles.set('list', new CarrierRefusal('190', 'The token has expired.'));
    await sync();
    platform.troubles.set('list', new CarrierRefusal('2', 'Later.', { temporary: true }));
    await assert.rejects(sync(), CarrierRefusal);
    assert.equal((await all())[0]?.['status'], 'DRAFT');
  });

  test('reports › move flows on, never back from the end, and never those of another account', async () => {
    put('a', 'One');
    await sync();
    const [{ uuid = '' } = {}] = await all();
    await applyFlowEvents(
      deps,
      app.accountId,
      ['DRAFT', 'PUBLISHED', 'BLOCKED'].map((status) => ({ chatappAccounts: [sender, newId()], id: 'a', status })),
    );
    assert.equal((await shown(uuid)).status, 'BLOCKED');
    await apply('a', 'DRAFT');
    assert.equal((await shown(uuid)).status, 'BLOCKED', 'what was told when it was made may come last');
    await apply('a', 'DEPRECATED');
    await apply('a', 'PUBLISHED');
    await apply('a', 'UNHEARD_OF');
    assert.equal((await shown(uuid)).status, 'DEPRECATED');
    const story = await eventsOf(deps.db, app.accountId, uuid).orderBy('uuid').execute();
    assert.deepEqual(
      story.map(({ data }) => data),
      [{ status: 'BLOCKED' }, { status: 'DEPRECATED' }],
    );
    put('b', 'Two');
    await sync();
    const { uuid: stranger } = (await app.call('GET', '/v2/account/', undefined, { token: app.otherToken })).body;
    await applyFlowEvents(deps, stranger, [{ chatappAccounts: [sender], id: 'b', status: 'BLOCKED' }]);
    assert.equal((await all()).find(({ flow_id }) => flow_id === 'b')?.['status'], 'DRAFT');
  });

  test('reports › of a flow that nobody here knows have the account compared', async () => {
    const jobs = async () => {
      const { rows } = await sql<{ jobs: number }>`
        select count(*) as jobs from pgboss.job where name = 'flows.sync' and data ->> 'uuid' = ${sender}`.execute(
        deps.db,
      );
      return rows[0]!.jobs;
    };
    await apply('unknown', 'DRAFT');
    assert.equal(await jobs(), 1);
    put('a', 'One');
    await sync();
    await apply('a', 'PUBLISHED');
    assert.equal(await jobs(), 1);
  });
});
