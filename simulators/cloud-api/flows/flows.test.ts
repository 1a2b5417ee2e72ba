import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.close());

const layout = { type: 'SingleColumnLayout', children: [] };
const json = JSON.stringify({ version: '7.0', screens: [{ id: 'FIRST', terminal: true, layout }] });
const create = (more: object = {}) =>
  stage.call('POST', `${stage.account}/flows`, { name: 'survey', categories: ['SURVEY'], ...more });

function uploadJson(id: string, text: string) {
  const form = new FormData();
  form.set('name', 'flow.json');
  form.set('asset_type', 'FLOW_JSON');
  form.set('file', new Blob([text], { type: 'application/json' }), 'flow.json');
  return stage.call('POST', `${id}/assets`, form);
}

it('a flow goes DRAFT → PUBLISHED → DEPRECATED, and each step is told', async () => {
  const { id } = (await create()).body;
  assert.equal((await stage.call('POST', `${id}/publish`)).body.error.code, 139002, 'not without JSON');
  assert.deepEqual((await uploadJson(id, json)).body, { success: true, validation_errors: [] });
  assert.equal((await stage.call('POST', `${id}/deprecate`)).body.error.code, 139003);
  assert.deepEqual((await stage.call('POST', `${id}/publish`)).body, { success: true });
  assert.equal((await stage.call('DELETE', id)).body.error.code, 139004, 'only drafts are deleted');
  assert.deepEqual((await stage.call('POST', `${id}/deprecate`)).body, { success: true });
  assert.equal((await stage.call('POST', id, { name: 'x' })).body.error.code, 139001);
  const told = (await stage.changes()).map(({ value }) => [value.old_status, value.new_status]);
  assert.deepEqual(told, [
    [undefined, 'DRAFT'],
    ['DRAFT', 'PUBLISHED'],
    ['PUBLISHED', 'DEPRECATED'],
  ]);
});

it('wrong JSON is kept with what is wrong about it, and cannot be published', async () => {
  const { id } = (await create()).body;
  const { body } = await uploadJson(
    id,
    JSON.stringify({ version: 'x', screens: [{ id: '1' }], routing_model: { A: [] } }),
  );
  assert.equal(body.success, true);
  assert.deepEqual(
    body.validation_errors.map(({ error }: { error: string }) => error),
    [
      'INVALID_PROPERTY_VALUE',
      'INVALID_PROPERTY_VALUE',
      'REQUIRED_PROPERTY_MISSING',
      'MISSING_TERMINAL_SCREEN',
      'INVALID_ROUTING_MODEL',
    ],
  );
  assert.equal((await uploadJson(id, '{')).body.validation_errors[0].error, 'INVALID_JSON');
  assert.equal((await stage.call('POST', `${id}/publish`)).body.error.code, 139002);
});

it('lists, reads with a preview that can be renewed, renames, copies and deletes', async () => {
  const { id } = (await create({ flow_json: json })).body;
  assert.deepEqual((await stage.call('GET', `${stage.account}/flows`)).body.data, [
    { id, name: 'survey', status: 'DRAFT', categories: ['SURVEY'], validation_errors: [] },
  ]);
  const preview = async (renew: boolean) =>
    (await stage.call('GET', `${id}?fields=preview.invalidate(${renew})`)).body.preview.preview_url;
  const first = await preview(false);
  assert.equal(await preview(false), first);
  assert.notEqual(await preview(true), first);
  assert.equal((await create()).body.error.code, 100, 'the name is taken');
  assert.deepEqual((await stage.call('POST', id, { name: 'other', categories: ['OTHER'] })).body, { success: true });
  const copy = (await create({ clone_flow_id: id })).body.id;
  const assets = (await stage.call('GET', `${copy}/assets`)).body.data;
  assert.equal(await (await fetch(assets[0].download_url)).text(), json);
  assert.deepEqual((await stage.call('DELETE', copy)).body, { success: true });
  assert.equal((await stage.call('GET', copy)).body.error.error_subcode, 33);
});

it('takes a form as well as JSON, and publishes at once when asked', async () => {
  const form = new FormData();
  form.set('name', 'form');
  form.set('categories', '["OTHER"]');
  form.set('flow_json', json);
  form.set('publish', 'true');
  const { id } = (await stage.call('POST', `${stage.account}/flows`, form)).body;
  assert.equal((await stage.call('GET', id)).body.status, 'PUBLISHED');
});

it('is sent by id or name in the mode that fits; blocked and throttled flows are refused', async () => {
  const { id } = (await create({ flow_json: json })).body;
  stage.simulator.settings.pairEveryMs = null;
  stage.simulator.person('+34600111222').writes('hi');
  const send = (parameters: object) =>
    stage.send({
      type: 'interactive',
      interactive: {
        type: 'flow',
        body: { text: 'b' },
        action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Go', ...parameters } },
      },
    });
  assert.equal((await send({ flow_id: id })).body.error.code, 131009, 'not published');
  assert.equal((await send({ flow_id: id, mode: 'draft' })).status, 200);
  await stage.call('POST', `${id}/publish`);
  assert.equal((await send({ flow_name: 'survey' })).status, 200);
  assert.equal((await send({ flow_id: '1' })).body.error.code, 131009);
  const flow = stage.simulator.world.flows.get(id)!;
  flow.status = 'THROTTLED';
  for (let count = 0; count < 10; count++) assert.equal((await send({ flow_id: id })).status, 200);
  assert.equal((await send({ flow_id: id })).body.error.code, 132069);
  flow.status = 'BLOCKED';
  assert.equal((await send({ flow_id: id })).body.error.code, 132068);
});
