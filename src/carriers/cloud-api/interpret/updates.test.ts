import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../../../../simulators/cloud-api/testing.ts';
import { newId } from '../../../platform/ids.ts';
import type { InboundEvent } from '../../ports/inbox.ts';
import { interpret } from './interpret.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ settings: { pairEveryMs: null, managementPerHour: null } });
});
afterEach(() => stage.close());

const ana = '+34600111222';
const me = () => stage.simulator.person(ana);
const account = () => ({ businessAccountId: stage.account });

async function events(): Promise<InboundEvent[]> {
  await stage.simulator.idle();
  return stage.bodies.flatMap((body) => interpret(Buffer.from(body)));
}
/** A webhook by hand, for what the simulator does not do by itself. */
const told = (field: string, value: unknown, entry: object = { id: '7' }): InboundEvent[] =>
  interpret(Buffer.from(JSON.stringify({ object: 'x', entry: [{ ...entry, changes: [{ field, value }] }] })));

describe('A status', () => {
  it('of our message is a receipt, each step on its way', async () => {
    me().writes('hi');
    const uuid = newId();
    const { body } = await stage.send({ text: { body: 'hola' }, biz_opaque_callback_data: uuid });
    await stage.simulator.idle();
    me().plays();
    const receipts = (await events()).filter((event) => event.kind === 'receipt');
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['SENT', 'DELIVERED', 'READ', 'READ'],
    );
    for (const receipt of receipts) {
      assert.equal(receipt.messageUuid, uuid);
      assert.equal(receipt.carrierMessageId, body.messages[0].id);
      assert.deepEqual(receipt.sender, { numberId: stage.number });
      assert.equal('code' in receipt, false);
    }
  });

  it('that it failed has the platform’s code and words', async () => {
    me().behaves({ failCode: 131049 }).writes('hi');
    await stage.send({ text: { body: 'hola' }, biz_opaque_callback_data: newId() });
    const failed = (await events()).find((event) => event.kind === 'receipt')!;
    assert.equal(failed.status, 'FAILED');
    assert.equal(failed.code, '131049');
    assert.ok(failed.description);
  });

  it('of a message that another program sent is nothing to us', async () => {
    me().writes('hi');
    await stage.send({ text: { body: 'hola' }, biz_opaque_callback_data: 'job-17' });
    await stage.send({ text: { body: 'hola' } });
    assert.deepEqual(
      (await events()).map(({ kind }) => kind),
      ['message'],
    );
  });
});

describe('An update of a template', () => {
  it('tells its status, and why', async () => {
    const { id } = stage.simulator.addTemplate({ name: 'hello', components: [{ type: 'BODY', text: 'Hello' }] });
    stage.simulator.decideTemplate(id, 'REJECTED', 'SCAM');
    stage.simulator.decideTemplate(id, 'PAUSED');
    stage.simulator.decideTemplate(id, 'APPROVED');
    const template = { kind: 'template', sender: account(), id, name: 'hello', languageCode: 'en_US' };
    assert.deepEqual(await events(), [
      { ...template, status: 'REJECTED', reason: 'SCAM', category: 'UTILITY' },
      { ...template, status: 'PAUSED', reason: 'FIRST_PAUSE', category: 'UTILITY' },
      { ...template, status: 'APPROVED', category: 'UTILITY' },
    ]);
  });

  it('tells its quality or its category, and nothing of what did not change', async () => {
    const { id } = stage.simulator.addTemplate({ name: 'hello', components: [{ type: 'BODY', text: 'Hello' }] });
    stage.simulator.changeTemplateQuality(id, 'RED');
    stage.simulator.changeTemplateCategory(id, 'MARKETING');
    const template = { kind: 'template', sender: account(), id, name: 'hello', languageCode: 'en_US' };
    assert.deepEqual(await events(), [
      { ...template, quality: 'RED' },
      { ...template, category: 'MARKETING' },
    ]);
  });

  it('of which a change of category is only announced is a notice', () => {
    const value = { message_template_id: 1, message_template_name: 'a', message_template_language: 'en' };
    const [event] = told('template_category_update', {
      ...value,
      new_category: 'UTILITY',
      correct_category: 'MARKETING',
    });
    assert.ok(event?.kind === 'notice');
    assert.equal(event.title, 'template_category_update');
  });

  it('has its id exactly, however long the number; a dash in the language is an underscore', () => {
    const value =
      '{"event":"APPROVED","message_template_id":12345678901234567890,"message_template_name":"a","message_template_language":"en-US","reason":"NONE"}';
    const body = `{"entry":[{"id":12345678901234567,"changes":[{"field":"message_template_status_update","value":${value}}]}]}`;
    const [event] = interpret(Buffer.from(body));
    assert.deepEqual(event, {
      kind: 'template',
      sender: { businessAccountId: '12345678901234567' },
      id: '12345678901234567890',
      name: 'a',
      languageCode: 'en_US',
      status: 'APPROVED',
    });
  });
});

describe('Other updates', () => {
  it('a flow tells its status; what else is told of flows is a notice', async () => {
    const flow = { name: 'survey', categories: ['SURVEY'] };
    const { id } = (await stage.call('POST', `${stage.account}/flows`, flow)).body;
    assert.deepEqual(await events(), [{ kind: 'flow', sender: account(), id, status: 'DRAFT' }]);
    stage.bodies.length = 0;
    const rate = { event: 'ENDPOINT_ERROR_RATE', flow_id: id, message: 'Too many' };
    stage.simulator.tell('flows', rate);
    assert.deepEqual(await events(), [{ kind: 'notice', sender: account(), title: 'flows', data: rate }]);
  });

  it('the quality of a number where one is told, else a notice', async () => {
    const number = { display_phone_number: '34900111222' };
    stage.simulator.tell('phone_number_quality_update', { ...number, event: 'FLAGGED' });
    stage.simulator.tell('phone_number_quality_update', { ...number, event: 'ONBOARDING', current_limit: 'TIER_2K' });
    const [flagged, onboarded] = await events();
    assert.deepEqual(flagged, { kind: 'quality', sender: { number: '+34900111222' }, quality: 'RED' });
    assert.equal(onboarded!.kind, 'notice');
  });

  it('what the account should know is a notice with everything that was told', async () => {
    const ban = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } };
    const fields = [
      'account_update',
      'account_alerts',
      'phone_number_name_update',
      'business_capability_update',
      'security',
    ];
    for (const field of fields) stage.simulator.tell(field, ban);
    assert.deepEqual(
      await events(),
      fields.map((title) => ({ kind: 'notice', sender: account(), title, data: ban })),
    );
  });

  it('errors alone are a notice of the number', () => {
    const errors = [{ code: 130429, title: 'Rate limit hit' }];
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '5' }, errors };
    assert.deepEqual(told('messages', value), [
      { kind: 'notice', sender: { numberId: '5' }, title: 'errors', data: { errors } },
    ]);
  });
});

describe('A large webhook', () => {
  it('of 1,000 updates in one POST is told whole and in order', async () => {
    stage.simulator.webhooks.hold();
    const people = Array.from({ length: 250 }, (_, index) => stage.simulator.person(`+34600${100_000 + index}`));
    for (let round = 0; round < 4; round++) for (const person of people) person.writes(`round ${round}`);
    stage.simulator.webhooks.release();
    const all = await events();
    assert.equal(stage.bodies.length, 1);
    assert.equal(all.length, 1000);
    const messages = all.filter((event) => event.kind === 'message');
    assert.deepEqual(
      messages.map(({ from, content }) => [from.number, (content.text as { body: string }).body]),
      [0, 1, 2, 3].flatMap((round) => people.map(({ person }) => [`+${person.waId}`, `round ${round}`])),
    );
    for (const { name, from } of messages) assert.equal(name, `Person ${from.number!.slice(-4)}`);
  });

  it('names for each update the number it is about', async () => {
    const other = stage.simulator.addNumber('+34900111333');
    stage.simulator.webhooks.hold();
    me().writes('one');
    me().writes('two', { to: other.id });
    stage.simulator.tell('security', { event: 'PIN_CHANGED' });
    stage.simulator.webhooks.release();
    assert.deepEqual(
      (await events()).map(({ sender }) => sender),
      [{ numberId: stage.number }, { numberId: other.id }, account()],
    );
    assert.equal(stage.bodies.length, 1);
  });
});
