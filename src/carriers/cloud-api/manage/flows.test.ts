import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../../../../simulators/cloud-api/testing.ts';
import { type Connector, makeConnector } from '../../../../test/kit/cloud-api/connector.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierFlows, Sender } from '../../ports/chat.ts';

let stage: Stage;
let connector: Connector;
let flows: CarrierFlows;
let sender: Sender;
beforeEach(async () => {
  stage = await startStage();
  connector = makeConnector({
    url: stage.simulator.url,
    settings: { business_account_id: stage.account },
  });
  ({ sender } = connector);
  flows = connector.carrier.chat.flows;
});
afterEach(async () => {
  await connector.close();
  await stage.close();
});

const definition = {
  version: '7.0',
  screens: [{ id: 'A', terminal: true, layout: { type: 'SingleColumnLayout' } }],
};
const survey = { name: 'survey', categories: ['SURVEY'], definition };
const refused = (code: string, temporary: boolean) => (error: unknown) =>
  error instanceof CarrierRefusal && error.code === code && error.temporary === temporary;
const statusOf = async (id: string) => (await flows.list(sender))!.find((flow) => flow.id === id)!.status;

describe('Flows on the platform', () => {
  it('live from draft to deprecated', async () => {
    const flow = await flows.create(sender, survey);
    assert.deepEqual(flow, {
      id: flow.id,
      name: 'survey',
      status: 'DRAFT',
      categories: ['SURVEY'],
      validationErrors: [],
    });
    assert.deepEqual(await flows.list(sender), [flow]);
    await flows.update(sender, flow.id, { name: 'renamed', categories: ['OTHER'] });
    assert.deepEqual(await flows.list(sender), [{ ...flow, name: 'renamed', categories: ['OTHER'] }]);
    await flows.publish(sender, flow.id);
    assert.equal(await statusOf(flow.id), 'PUBLISHED');
    await flows.deprecate(sender, flow.id);
    assert.equal(await statusOf(flow.id), 'DEPRECATED');
    await assert.rejects(flows.publish(sender, flow.id), refused('139002', false));
    await assert.rejects(flows.update(sender, flow.id, { name: 'again' }), refused('139001', false));
  });

  it('are drawn anew while they are drafts, and deleted', async () => {
    const { id } = await flows.create(sender, survey);
    const wrong = await flows.draw(sender, id, { version: '7.0' });
    assert.ok(wrong.length > 0);
    assert.deepEqual((await flows.list(sender))![0]!.validationErrors, wrong);
    assert.deepEqual(await flows.draw(sender, id, definition), []);
    await flows.remove(sender, id);
    assert.deepEqual(await flows.list(sender), []);
    const published = await flows.create(sender, survey);
    await flows.publish(sender, published.id);
    await assert.rejects(flows.remove(sender, published.id), refused('139004', false));
  });

  it('are created with what is wrong about them, or with nothing in them', async () => {
    const wrong = await flows.create(sender, { ...survey, definition: { version: '7.0' } });
    assert.ok(wrong.validationErrors.length > 0);
    await assert.rejects(flows.publish(sender, wrong.id), refused('139002', false));
    const empty = await flows.create(sender, { ...survey, name: 'empty', definition: null });
    assert.deepEqual(empty.validationErrors, []);
  });

  it('are listed to the last page', async () => {
    for (let at = 0; at < 101; at++)
      await flows.create(sender, { name: `f ${at}`, categories: ['OTHER'], definition: null });
    assert.equal((await flows.list(sender))!.length, 101);
  });

  it('are there once, and one step on, when answers were lost', async () => {
    const { faults, world } = stage.simulator;
    faults.next(1, { kind: 'lost-answer' }, 'flows');
    await assert.rejects(flows.create(sender, survey), refused('no_answer', true));
    const { id, status } = await flows.create(sender, survey);
    assert.equal(status, 'DRAFT');
    assert.equal(world.flows.size, 1);
    faults.next(1, { kind: 'lost-answer' }, 'publish');
    await assert.rejects(flows.publish(sender, id), refused('no_answer', true));
    await flows.publish(sender, id);
    faults.next(1, { kind: 'lost-answer' }, 'deprecate');
    await assert.rejects(flows.deprecate(sender, id), refused('no_answer', true));
    await flows.deprecate(sender, id);
    assert.equal(await statusOf(id), 'DEPRECATED');
  });

  it('can be looked at under a link that ends', async () => {
    const { id } = await flows.create(sender, survey);
    const { previewUrl, expiresAt } = await flows.preview(sender, id);
    assert.equal(new URL(previewUrl).origin, stage.simulator.url);
    const { previewExpires } = stage.simulator.world.flows.get(id)!;
    assert.equal(Math.floor(expiresAt.getTime() / 1000), Math.floor(previewExpires.getTime() / 1000));
    await assert.rejects(flows.preview(sender, '42'), refused('100', false));
  });
});
