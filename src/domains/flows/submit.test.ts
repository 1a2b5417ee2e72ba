import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { FlowPlatform } from '../../../test/kit/flows/flow-platform.ts';
import { CarrierRefusal, makeCarriers } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { deleteFlow } from './change.ts';
import { previewFlow } from './preview.ts';
import { submitFlow } from './submit.ts';
import { tasks } from './tasks.ts';

const url = '/v2/chatapp/flows/';
const definition = { version: '7.3', screens: [{ id: 'ONE' }] };

describe('submitting a flow', () => {
  let app: TestApp;
  let platform: FlowPlatform;
  let deps: Deps;
  let count = 0;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  beforeEach(() => {
    platform = new FlowPlatform();
    const sandbox = app.deps.carriers.get('sandbox', 'chat');
    deps = { ...app.deps, carriers: makeCarriers([{ ...sandbox, chat: { ...sandbox.chat, flows: platform } }]) };
  });

  const create = async (more: object = {}): Promise<string> => {
    const body = { chatapp_number: '+447700900001', name: `Flow ${++count}`, category: 'OTHER', definition, ...more };
    return (await app.call('POST', url, body)).body.uuid;
  };
  const patch = (uuid: string, change: object) => app.call('PATCH', `${url}${uuid}/`, change);
  const shown = async (uuid: string) => (await app.call('GET', `${url}${uuid}/`)).body;
  const submit = (uuid: string) => submitFlow(deps, { accountId: app.accountId, uuid });
  const waitingJobs = async (uuid: string) => {
    const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from pgboss.job where name = 'flows.submit' and data ->> 'uuid' = ${uuid}`.execute(
      deps.db,
    );
    return rows[0]!.jobs;
  };

  test('the job comes with the flow; run twice, it does everything once', async () => {
    const uuid = await create({ status: 'PUBLISHED' });
    assert.equal(await waitingJobs(uuid), 1);
    await submit(uuid);
    await submit(uuid);
    assert.deepEqual(platform.calls, ['create', 'publish']);
    const { status, wanted_status, flow_id } = await shown(uuid);
    assert.deepEqual([status, wanted_status, flow_id], ['PUBLISHED', null, 'f1']);
    assert.deepEqual(platform.flows.get('f1')?.definition, definition);
  });

  test('changes are told once, and states are gone through one by one', async () => {
    const uuid = await create();
    await submit(uuid);
    await patch(uuid, { name: `Renamed ${count}`, category: 'SURVEY', status: 'PUBLISHED' });
    await patch(uuid, { status: 'DEPRECATED' });
    await submit(uuid);
    await submit(uuid);
    assert.deepEqual(platform.calls, ['create', 'update', 'publish', 'deprecate']);
    const { name, categories, status } = platform.flows.get('f1')!;
    assert.deepEqual([name, categories, status], [`Renamed ${count}`, ['SURVEY'], 'DEPRECATED']);
    assert.equal((await shown(uuid)).status, 'DEPRECATED');
  });

  test('a draft is drawn anew before it is published', async () => {
    const uuid = await create();
    await submit(uuid);
    const other = { version: '7.3', screens: [{ id: 'TWO' }] };
    await patch(uuid, { definition: other, status: 'PUBLISHED' });
    await submit(uuid);
    await submit(uuid);
    assert.deepEqual(platform.calls, ['create', 'draw', 'publish']);
    assert.deepEqual(platform.flows.get('f1')?.definition, other);
  });

  test('a draft is deleted on the platform too; a lost answer is no obstacle to the next try, and a refusal keeps it', async () => {
    const uuid = await create();
    await submit(uuid);
    const remove = () => deleteFlow(deps, app.accountId, uuid);
    platform.troubles.set('remove', new CarrierRefusal('1', 'Not now.'));
    await assert.rejects(remove(), { code: 'flow_not_draft' });
    platform.troubles.set('remove', 'lost');
    await assert.rejects(remove(), { code: 'unavailable' });
    assert.deepEqual([platform.flows.size, (await shown(uuid)).status], [0, 'DRAFT']);
    await remove();
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    await submit(uuid);
    assert.equal(platform.flows.size, 0);
  });

  test('a refusal leaves the state and says why; the next request tries again', async () => {
    const uuid = await create({ status: 'PUBLISHED' });
    platform.troubles.set('publish', new CarrierRefusal('139002', 'The flow has validation errors.'));
    await submit(uuid);
    const refused = await shown(uuid);
    assert.deepEqual(
      [refused.status, refused.wanted_status, refused.status_description],
      ['DRAFT', null, 'The flow has validation errors. (code 139002)'],
    );
    await patch(uuid, { status: 'PUBLISHED' });
    assert.equal((await shown(uuid)).status_description, '');
    await submit(uuid);
    assert.deepEqual([(await shown(uuid)).status, platform.flows.size], ['PUBLISHED', 1]);
  });

  test('a creation that was refused is tried again by the next request', async () => {
    const uuid = await create();
    platform.troubles.set('create', new CarrierRefusal('100', 'Invalid parameter.'));
    await submit(uuid);
    const { flow_id, status_description, name } = await shown(uuid);
    assert.deepEqual([flow_id, status_description], [null, 'Invalid parameter. (code 100)']);
    await patch(uuid, { name });
    await submit(uuid);
    assert.deepEqual([(await shown(uuid)).flow_id, (await shown(uuid)).status_description], ['f1', '']);
  });

  for (const step of ['create', 'update', 'publish', 'deprecate'] as const) {
    test(`a lost answer to ${step} does nothing twice`, async () => {
      const uuid = await create({ status: 'PUBLISHED' });
      if (step === 'update' || step === 'deprecate') {
        await submit(uuid);
        await patch(uuid, { name: `Lost ${step}`, status: 'DEPRECATED' });
      }
      platform.troubles.set(step, 'lost');
      await assert.rejects(submit(uuid), CarrierRefusal);
      assert.notEqual((await shown(uuid)).wanted_status, null, 'it is still to be done');
      await submit(uuid);
      const { status, wanted_status, status_description } = await shown(uuid);
      assert.deepEqual(
        [status, wanted_status, status_description],
        [step === 'create' || step === 'publish' ? 'PUBLISHED' : 'DEPRECATED', null, ''],
      );
      assert.equal(platform.flows.size, 1);
    });
  }

  test('a flow that was renamed after the answer to its creation got lost is recognised, and renamed', async () => {
    const uuid = await create();
    platform.troubles.set('create', 'lost');
    await assert.rejects(submit(uuid));
    await patch(uuid, { name: 'Another name' });
    await submit(uuid);
    assert.deepEqual([platform.flows.size, platform.flows.get('f1')?.name], [1, 'Another name']);
    assert.equal((await shown(uuid)).flow_id, 'f1');
  });

  test('two workers at once create one flow; the second comes back later', async () => {
    const uuid = await create();
    platform.meanwhile = async (step) => step === 'create' && submit(uuid);
    await submit(uuid);
    assert.deepEqual(platform.calls, ['create']);
    assert.equal(await waitingJobs(uuid), 2);
  });

  test('a request that comes while the platform answers is not lost', async () => {
    const uuid = await create();
    platform.meanwhile = async (step) => step === 'create' && patch(uuid, { name: 'Meanwhile', status: 'PUBLISHED' });
    await submit(uuid);
    assert.equal((await shown(uuid)).wanted_status, 'PUBLISHED');
    await submit(uuid);
    const { name, status } = platform.flows.get('f1')!;
    assert.deepEqual([name, status, (await shown(uuid)).status], ['Meanwhile', 'PUBLISHED', 'PUBLISHED']);
  });

  test('what a worker had in hand when it died is taken up again, and what was given up is tried again hourly', async () => {
    const uuid = await create();
    const old = new Date(Date.now() - 3_600_000).toISOString();
    const columns = { claimed_until: old, modified: old };
    await deps.db.updateTable('flows').set(columns).where('uuid', '=', uuid).execute();
    const before = await waitingJobs(uuid);
    await tasks.find(({ name }) => name === 'flows.sync-all')!.handler(deps, [{}]);
    assert.equal(await waitingJobs(uuid), before + 1);
    await submit(uuid);
    assert.equal((await shown(uuid)).flow_id, 'f1');
  });

  test('a batch does what it can, and fails for what it cannot', async () => {
    const [first, second] = [await create(), await create()];
    platform.troubles.set('create', new CarrierRefusal('2', 'Try again.', { temporary: true }));
    const payloads = [first, second].map((uuid) => ({ accountId: app.accountId, uuid }));
    await assert.rejects(tasks.find(({ name }) => name === 'flows.submit')!.handler(deps, payloads));
    assert.equal(platform.flows.size, 1);
    await tasks.find(({ name }) => name === 'flows.submit')!.handler(deps, payloads);
    assert.equal(platform.flows.size, 2);
  });

  test('preview › the platform’s link, 409 when it refuses, 503 when it cannot be asked', async () => {
    const uuid = await create();
    await submit(uuid);
    const preview = () => previewFlow(deps, app.accountId, uuid, new URL('https://here.example/v2/'));
    assert.deepEqual(await preview(), {
      preview_url: 'https://platform.example/preview/f1',
      expires_at: '2027-01-01T00:00:00.000000Z',
    });
    platform.troubles.set('preview', new CarrierRefusal('100', 'No.'));
    await assert.rejects(preview(), { code: 'preview_unavailable', status: 409, message: 'No.' });
    platform.troubles.set('preview', new CarrierRefusal('2', 'Later.', { temporary: true }));
    await assert.rejects(preview(), { code: 'unavailable', status: 503 });
  });
});
