import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tasks } from '../../src/app.ts';
import { until } from '../kit/until.ts';
import { type CloudStage, startCloudStage } from './stage.ts';

const url = '/v2/chatapp/flows/';
const definition = {
  version: '7.3',
  screens: [{ id: 'ONE', terminal: true, layout: { type: 'SingleColumnLayout', children: [] } }],
};

describe('flows on the Cloud API', () => {
  let stage: CloudStage;
  before(async () => {
    stage = await startCloudStage();
  });
  after(() => stage.close());

  const create = async (more: object) => {
    const body = { chatapp_number: stage.number, category: 'SURVEY', ...more };
    const made = await stage.app.call('POST', url, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.uuid;
  };
  const reaches = (uuid: string, holds: (flow: Record<string, unknown>) => boolean) =>
    until(`flow ${uuid} gets there`, async () => {
      const { body } = await stage.app.call('GET', `${url}${uuid}/`);
      return holds(body) && body.wanted_status === null ? body : undefined;
    });
  const theirsNamed = (wanted: string) =>
    [...stage.simulator.world.flows.values()].filter(({ name }) => name === wanted);
  const theirs = (id: string) => stage.simulator.world.flows.get(id)!;

  test('a flow is created with its definition, published, shown, renamed and deprecated', async () => {
    const uuid = await create({ name: 'Life', definition, status: 'PUBLISHED' });
    const { flow_id } = await reaches(uuid, ({ status }) => status === 'PUBLISHED');
    assert.deepEqual(JSON.parse(theirs(flow_id).publishedJson!), definition);
    const preview = await stage.app.call('GET', `${url}${uuid}/preview/`);
    assert.equal(preview.status, 200);
    assert.ok(preview.body.preview_url.includes(flow_id));
    assert.ok(Date.parse(preview.body.expires_at) > Date.now());
    const change = { name: 'New life', category: 'OTHER', status: 'DEPRECATED' };
    const changed = await stage.app.call('PATCH', `${url}${uuid}/`, change);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await reaches(uuid, ({ status }) => status === 'DEPRECATED');
    const { name, categories, status } = theirs(flow_id);
    assert.deepEqual([name, categories, status], ['New life', ['OTHER'], 'DEPRECATED']);
  });

  test('one with errors stays a draft, and says what is wrong', async () => {
    const uuid = await create({
      name: 'Wrong',
      definition: { version: '7.3', screens: [{ id: 'ONE' }] },
      status: 'PUBLISHED',
    });
    const flow = await reaches(uuid, ({ status_description }) => status_description !== '');
    assert.equal(flow.status, 'DRAFT');
    assert.match(flow.status_description, /139002/);
    assert.match(flow.validation_errors[0].message, /layout/);
  });

  test('a creation whose answer got lost is not made twice', async () => {
    stage.simulator.faults.next(1, { kind: 'lost-answer' }, 'flows');
    const uuid = await create({ name: 'Lost', definition });
    await until('the platform has it', async () => theirsNamed('Lost')[0]);
    // The queue would do so in half a minute.
    const submit = tasks.find(({ name }) => name === 'flows.submit')!;
    const payload = { accountId: stage.app.accountId, uuid };
    await until('it is done', () =>
      submit.handler(stage.app.deps, [payload]).then(
        () => true,
        () => undefined,
      ),
    );
    const { flow_id } = await reaches(uuid, (flow) => flow['flow_id'] !== null);
    assert.deepEqual(
      theirsNamed('Lost').map(({ id }) => id),
      [flow_id],
    );
  });

  test('sync takes over what was made there', async () => {
    const { simulator, app } = stage;
    const made = await fetch(`${simulator.url}/v26.0/${simulator.accountId}/flows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${simulator.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Made there', categories: ['OTHER'] }),
    });
    const { id } = (await made.json()) as { id: string };
    const started = await app.call('POST', `${url}sync/`, {});
    assert.deepEqual([started.status, started.body], [202, { chatapp_accounts: 1 }]);
    const flow = await until(
      'it came',
      async () => (await app.call('GET', `${url}?name=Made%20there`)).body.results[0],
    );
    assert.deepEqual([flow.flow_id, flow.status, flow.category], [id, 'DRAFT', 'OTHER']);
  });
});
