import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ settings: { pairEveryMs: null, batchMax: 1 } });
  stage.simulator.world.numbers.get(stage.number)!.throughputPerSecond = null;
});
afterEach(() => stage.close());

const hello = { type: 'text', text: { body: 'hola' } };
const ana = '+34600111222';

describe('Statuses', () => {
  it('come as sent, delivered, read, with price, contact and the callback data; failed has neither', async () => {
    const { person } = stage.simulator.person(ana).behaves({ username: 'ana_x', name: 'Ana' });
    stage.simulator.person(ana).writes('hi');
    const { body } = await stage.send({ ...hello, biz_opaque_callback_data: 'job-17' });
    const changes = (await stage.changes()).filter(({ value }) => value.statuses);
    assert.deepEqual(
      changes.map(({ value }) => value.statuses[0].status),
      ['sent', 'delivered', 'read'],
    );
    const [sent, delivered, read] = changes.map(({ value }) => value);
    const { timestamp, ...first } = sent.statuses[0];
    assert.match(timestamp, /^\d{10}$/);
    assert.deepEqual(first, {
      id: body.messages[0].id,
      status: 'sent',
      recipient_id: '34600111222',
      recipient_user_id: person.userId,
      pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
      biz_opaque_callback_data: 'job-17',
    });
    assert.deepEqual(sent.metadata, { display_phone_number: '34900111222', phone_number_id: stage.number });
    assert.deepEqual(sent.contacts, [{ profile: { name: 'Ana' }, wa_id: '34600111222', user_id: person.userId }]);
    assert.equal(delivered.contacts[0].profile.username, 'ana_x');
    assert.ok(delivered.statuses[0].pricing);
    assert.equal('pricing' in read.statuses[0], false);

    stage.simulator.person(ana).behaves({ failCode: 131026 });
    await stage.send(hello);
    const failed = (await stage.changes()).at(-1)!.value;
    assert.equal(failed.statuses[0].status, 'failed');
    assert.equal(failed.statuses[0].errors[0].code, 131026);
    assert.equal('contacts' in failed || 'recipient_user_id' in failed.statuses[0], false);
  });

  it('go as far as the person lets them; the rest comes when they read or play', async () => {
    const person = stage.simulator.person(ana).behaves({ reach: 'sent' });
    person.writes('hi');
    await stage.send(hello);
    assert.deepEqual(
      (await stage.statuses()).map(({ status }) => status),
      ['sent'],
    );
    person.reads();
    person.plays();
    assert.deepEqual(
      (await stage.statuses()).map(({ status }) => status),
      ['sent', 'read', 'played'],
    );
  });

  it('tell the price of a template, and of a chat that began at an advertisement', async () => {
    stage.simulator.addTemplate({ name: 'plain', components: [{ type: 'BODY', text: 'Hello' }] });
    await stage.send({ type: 'template', template: { name: 'plain', language: { code: 'en_US' } } });
    assert.deepEqual((await stage.statuses())[0]?.pricing, {
      billable: true,
      pricing_model: 'PMP',
      type: 'regular',
      category: 'utility',
    });
    stage.simulator.person('+34600111333').writes('hi', { referral: { source_type: 'ad', source_id: '1' } });
    const { body } = await stage.send({ ...hello, to: '+34600111333' });
    const status = (await stage.statuses()).find(({ id }) => id === body.messages[0].id);
    assert.equal(status?.pricing?.['type'], 'free_entry_point');
    assert.ok(status?.['conversation']);
  });
});

describe('Delivery', () => {
  it('updates that wait together share a POST, of at most so many, numbers mixed', async () => {
    const other = stage.simulator.addNumber('+34900333444');
    const { webhooks, settings } = stage.simulator;
    webhooks.hold();
    for (let index = 0; index < 5; index++) stage.simulator.person(`+3460011100${index}`).writes('hi');
    stage.simulator.person(ana).writes('other', { to: other.id });
    settings.batchMax = 4;
    webhooks.release();
    await stage.simulator.idle();
    assert.deepEqual(webhooks.deliveries.map(({ updates }) => updates).sort(), [2, 4]);
    const mixed = stage.bodies.map((body) => JSON.parse(body)).find(({ entry }) => entry[0].changes.length === 2);
    const numbers = mixed.entry[0].changes.map(
      (change: { value: { metadata: { phone_number_id: string } } }) => change.value.metadata.phone_number_id,
    );
    assert.deepEqual(numbers, [stage.number, other.id]);
  });

  it('a thousand updates fit in one POST, not one more', async () => {
    stage.simulator.webhooks.hold();
    for (let index = 0; index < 1001; index++) stage.simulator.person(ana).writes('hi');
    stage.simulator.settings.batchMax = 5000;
    stage.simulator.webhooks.release();
    await stage.simulator.idle();
    assert.deepEqual(stage.simulator.webhooks.deliveries.map(({ updates }) => updates).sort(), [1, 1000]);
    const changes = await stage.changes();
    assert.equal(changes.flatMap(({ value }) => value.messages).length, 1001);
    assert.ok(
      changes.every(({ value }) => value.contacts.length === 1),
      'a person is introduced once',
    );
  });

  it('what is not answered with 200 comes again, the same bytes, until it is', async () => {
    stage.refuseWith = [500, 204, 302];
    stage.simulator.person(ana).writes('hi');
    await stage.simulator.idle();
    const { deliveries } = stage.simulator.webhooks;
    assert.deepEqual(
      deliveries.map(({ status, attempt }) => [status, attempt]),
      [
        [500, 1],
        [204, 2],
        [302, 3],
        [200, 4],
      ],
    );
    assert.equal(new Set(deliveries.map(({ body, signature }) => body + signature)).size, 1);
    assert.equal(stage.bodies.length, 1);
  });

  it('is given up after the last try', async () => {
    stage.simulator.settings.retryAfterMs = [0];
    stage.refuseWith = [500, 500, 500];
    stage.simulator.person(ana).writes('hi');
    await stage.simulator.idle();
    assert.equal(stage.simulator.webhooks.deliveries.length, 2);
  });

  it('can be doubled, reversed and shuffled', async () => {
    const { webhooks, settings } = stage.simulator;
    settings.duplicateShare = 1;
    const message = stage.simulator.person(ana).writes('hi');
    await stage.simulator.idle();
    assert.equal(stage.bodies.length, 2);
    assert.equal(stage.bodies[0], stage.bodies[1]);
    settings.duplicateShare = 0;
    webhooks.again(webhooks.deliveries[0]!);
    await stage.simulator.idle();
    assert.equal(
      stage.bodies.filter((body) => body.includes(JSON.stringify(message.id).replaceAll('/', '\\/'))).length,
      3,
    );

    stage.bodies.length = 0;
    webhooks.hold();
    await stage.send(hello);
    while (stage.simulator.person(ana).messages().at(-1)!.statuses.length < 3) await new Promise(setImmediate);
    webhooks.release((updates) => updates.toReversed());
    assert.deepEqual(
      (await stage.statuses()).map(({ status }) => status),
      ['read', 'delivered', 'sent'],
    );
  });

  it('prints and signs as the platform does', async () => {
    stage.simulator.person(ana).writes('café a/b me@x.example');
    await stage.simulator.idle();
    assert.ok(stage.bodies[0]?.includes(String.raw`caf\u00e9 a\/b me\u0040x.example`));
    assert.equal(stage.forged, 0);
  });
});

describe('Subscriptions', () => {
  const url = () => stage.simulator.world.app.callback!.url;

  it('a callback is taken only if it answers the challenge', async () => {
    const subscribe = (verify_token: string) =>
      stage.call('POST', `${stage.simulator.world.app.id}/subscriptions`, {
        object: 'whatsapp_business_account',
        callback_url: url(),
        verify_token,
        fields: ['messages'],
      });
    assert.equal((await subscribe('wrong')).body.error.error_subcode, 2201);
    assert.deepEqual((await subscribe('right')).body, { success: true });
    const { body } = await stage.call('GET', `${stage.simulator.world.app.id}/subscriptions`);
    assert.deepEqual(body.data[0].fields, [{ name: 'messages', version: 'v26.0' }]);
  });

  it('an account that nobody subscribed to tells nothing; a number may tell elsewhere', async () => {
    const path = `${stage.account}/subscribed_apps`;
    await stage.call('DELETE', path);
    assert.deepEqual((await stage.call('GET', path)).body.data, []);
    stage.simulator.person(ana).writes('unheard');
    assert.deepEqual(await stage.changes(), []);
    await stage.call('POST', path, {});
    const own = `${url()}?own=1`;
    await stage.call('POST', stage.number, {
      webhook_configuration: { override_callback_uri: own, verify_token: 'right' },
    });
    stage.simulator.person(ana).writes('heard');
    await stage.simulator.idle();
    assert.equal(stage.simulator.webhooks.deliveries[0]?.url, own);
    const refused = await stage.call('POST', path, { override_callback_uri: url(), verify_token: 'wrong' });
    assert.equal(refused.status, 400);
  });
});
