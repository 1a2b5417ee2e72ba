import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../kit/until.ts';
import { type CloudStage, startCloudStage } from './stage.ts';

let stage: CloudStage;
before(async () => {
  stage = await startCloudStage({ settings: { reviewDecision: null } });
});
after(() => stage.close());

const url = '/v2/chatapp/message-templates/';
const body = { type: 'BODY', text: 'Hola {{1}}, tu pedido va en camino.', example: { body_text: [['Ana']] } };
const draft = { language_code: 'es_ES', category: 'UTILITY', components: [body] };
const create = async (name: string, more: object = {}) => {
  const answer = await stage.app.call('POST', url, { chatapp_number: stage.number, name, ...draft, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const taken = (name: string) => [...stage.simulator.world.templates.values()].find((one) => one.name === name);
const isTaken = (name: string) => until(`the platform has ${name}`, async () => taken(name));
/** Has the list fetched until it shows; one that comes while an answer is being stored is too early. */
const showsAfterSync = (uuid: string, what: object) =>
  until(`template ${uuid} is ${JSON.stringify(what)}`, async () => {
    await stage.app.call('POST', `${url}sync/`, {});
    const { body } = await stage.app.call('GET', `${url}${uuid}/`);
    return Object.entries(what).every(([field, value]) => body[field] === value) ? body : undefined;
  });

describe('a template on the platform', () => {
  test('is submitted, approved, sent, edited and deleted', async () => {
    const { uuid } = await create('order_update');
    const { id } = await isTaken('order_update');
    const send = () =>
      stage.send({
        to_chatapp_number: '+34600111222',
        type: 'TEMPLATE',
        template: {
          template_name: 'order_update',
          components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
        },
      });
    assert.equal((await send()).status, 400, 'nobody has approved it');
    stage.simulator.decideTemplate(id, 'APPROVED');
    await showsAfterSync(uuid, { status: 'APPROVED' });
    const sent = await send();
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    await stage.reaches(sent.body['uuid']!, 'READ');

    const components = [{ ...body, text: 'Hola {{1}}, tu pedido ha llegado.' }];
    assert.equal((await stage.app.call('PATCH', `${url}${uuid}/`, { components })).body.status, 'PENDING');
    await until('the edit arrived', async () => taken('order_update')?.status === 'PENDING');
    assert.deepEqual(taken('order_update')!.components, components);
    stage.simulator.decideTemplate(id, 'APPROVED');
    await showsAfterSync(uuid, { status: 'APPROVED' });

    const again = await stage.app.call('PATCH', `${url}${uuid}/`, { components: [body] });
    assert.equal(again.status, 200);
    const refused = await until('the second edit of a day is refused', async () => {
      const { body } = await stage.app.call('GET', `${url}${uuid}/`);
      return body.rejected_reason === '' ? undefined : body;
    });
    assert.deepEqual([refused.status, refused.components], ['APPROVED', components]);

    assert.equal((await stage.app.call('DELETE', `${url}${uuid}/`)).status, 204);
    await until('the platform deleted it', async () => (taken('order_update') ? undefined : true));
    assert.equal((await stage.app.call('GET', `${url}${uuid}/`)).status, 404);
  });

  test('that the platform refuses is REJECTED in its words', async () => {
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::nobody uploaded this'] } };
    const { uuid } = await create('no_sample', { components: [header, body] });
    const { rejected_reason } = await until('it is rejected', async () => {
      const { body } = await stage.app.call('GET', `${url}${uuid}/`);
      return body.status === 'REJECTED' ? body : undefined;
    });
    assert.notEqual(rejected_reason, '');
  });

  test('of a code is accepted by both sides', async () => {
    const components = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copiar' }] },
    ];
    const { uuid } = await create('login_code', { category: 'AUTHENTICATION', components });
    const { id } = await isTaken('login_code');
    stage.simulator.decideTemplate(id, 'APPROVED');
    await showsAfterSync(uuid, { status: 'APPROVED', category: 'AUTHENTICATION' });
  });

  test('that was made there appears, follows it, and goes', async () => {
    const { id } = stage.simulator.addTemplate({ name: 'made_there', components: [{ type: 'BODY', text: 'Hola' }] });
    await stage.app.call('POST', `${url}sync/`, { chatapp_number: stage.number });
    const { uuid } = await until(
      'it is here',
      async () => (await stage.app.call('GET', `${url}?name=made_there`)).body.results[0],
    );
    stage.simulator.changeTemplateQuality(id, 'YELLOW');
    await showsAfterSync(uuid, { quality: 'YELLOW' });
    stage.simulator.world.templates.delete(id);
    await showsAfterSync(uuid, { status: 'DELETED' });
  });
});
