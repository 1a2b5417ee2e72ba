import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-11-15T09:00:00Z');
  stage = await startStage({ clock: { now: () => now } });
});
afterEach(() => stage.close());

const hello = { type: 'text', text: { body: 'hola' } };
const ana = '+34600111222';

describe('A free-form message', () => {
  it('is accepted within 24 hours of the person’s last message, with an opaque id and the contact', async () => {
    stage.simulator.person(ana).writes('hi');
    const { status, body } = await stage.send({ ...hello, to: '+34 600-111 (222)' });
    assert.equal(status, 200);
    assert.deepEqual(body.contacts, [{ input: '+34 600-111 (222)', wa_id: '34600111222' }]);
    assert.match(body.messages[0].id, /^wamid\.[A-Za-z0-9+/]+=*$/);
    assert.equal('message_status' in body.messages[0], false);
  });

  it('is refused with 131047 outside the window, or fails with it when told to be late', async () => {
    stage.simulator.person(ana).writes('hi');
    stage.simulator.advance(24 * 3_600_000);
    assert.equal((await stage.send(hello)).body.error.code, 131047);
    stage.simulator.settings.lateCodes.push(131047);
    assert.equal((await stage.send(hello)).status, 200);
    const [status] = await stage.statuses();
    assert.equal(status?.status, 'failed');
    assert.equal(status?.errors?.[0]?.code, 131047);
  });

  it('goes to a business-scoped id, and the contact then names that id alone', async () => {
    const { person, writes } = stage.simulator.person(ana);
    writes('hi');
    const { body } = await stage.send({ ...hello, to: undefined, recipient: person.userId });
    assert.deepEqual(body.contacts, [{ input: person.userId, user_id: person.userId }]);
    const both = await stage.send({ ...hello, recipient: person.userId });
    assert.deepEqual(both.body.contacts, [{ input: ana, wa_id: '34600111222' }], 'the phone number wins');
    const stale = await stage.send({ ...hello, to: undefined, recipient: 'ES.1' });
    assert.equal(stale.body.error.code, 131009);
  });

  it('without a plus gets the business number’s country code in front', async () => {
    stage.simulator.person('+3434600111222').writes('hi');
    const { body } = await stage.send({ ...hello, to: '34600111222' });
    assert.equal(body.contacts[0].wa_id, '3434600111222');
  });

  it('to the sender itself is refused with 131021, from an unregistered number with 133010', async () => {
    assert.equal((await stage.send({ ...hello, to: '+34900111222' })).body.error.code, 131021);
    await stage.call('POST', `${stage.number}/deregister`, {});
    assert.equal((await stage.send(hello)).body.error.code, 133010);
    await stage.call('POST', `${stage.number}/register`, { messaging_product: 'whatsapp', pin: '123456' });
    assert.equal((await stage.send(hello)).body.error.code, 131047);
    stage.simulator.world.accounts.get(stage.account)!.locked = true;
    assert.equal((await stage.send(hello)).body.error.code, 131031);
  });

  it('without the product is an error of Graph itself', async () => {
    const { body } = await stage.send({ ...hello, messaging_product: undefined });
    assert.equal(body.error.message, '(#100) The parameter messaging_product is required.');
  });

  it('fails or is refused as the person is told to behave', async () => {
    const person = stage.simulator.person(ana).behaves({ failCode: 131026 });
    person.writes('hi');
    assert.equal((await stage.send(hello)).status, 200);
    assert.equal((await stage.statuses())[0]?.status, 'failed');
    person.behaves({ refuseCode: 130497 });
    const refused = await stage.send(hello);
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error.code, 130497);
  });
});

describe('Rates', () => {
  it('more than the number’s throughput is 130429, and time gives it back', async () => {
    stage.simulator.world.numbers.get(stage.number)!.throughputPerSecond = 2;
    const person = stage.simulator.person(ana);
    person.writes('hi');
    assert.equal((await stage.send(hello)).status, 200);
    assert.equal((await stage.send(hello)).status, 200);
    const third = await stage.send(hello);
    assert.equal(third.status, 400);
    assert.equal(third.body.error.code, 130429);
    stage.simulator.advance(500);
    assert.equal((await stage.send(hello)).status, 200);
  });

  it('more than a burst to one person is 131056 with the status that is set', async () => {
    Object.assign(stage.simulator.settings, { pairBurst: 1, throttleStatus: 429 });
    stage.simulator.person(ana).writes('hi');
    assert.equal((await stage.send(hello)).status, 200);
    const second = await stage.send(hello);
    assert.equal(second.status, 429);
    assert.equal(second.body.error.code, 131056);
    assert.match(second.body.error.message, /pair rate limit hit/);
    stage.simulator.advance(6000);
    assert.equal((await stage.send(hello)).status, 200);
  });
});

describe('A read receipt', () => {
  it('marks the message and those before it, with or without the typing indicator', async () => {
    const person = stage.simulator.person(ana);
    const [first, second] = [person.writes('one'), person.writes('two')];
    const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: second.id };
    const path = `${stage.number}/messages`;
    const { body } = await stage.call('POST', path, { ...receipt, typing_indicator: { type: 'text' } });
    assert.deepEqual(body, { success: true });
    assert.ok(first.readByBusiness && second.readByBusiness);
    const bad = await stage.call('POST', path, { ...receipt, message_id: 'wamid.X' });
    assert.equal(bad.body.error.code, 131009);
  });
});

describe('A quoted or reacted message', () => {
  it('a quote of an unknown message is refused, a reaction to one fails later', async () => {
    const message = stage.simulator.person(ana).writes('hi');
    assert.equal((await stage.send({ ...hello, context: { message_id: message.id } })).status, 200);
    assert.equal((await stage.send({ ...hello, context: { message_id: 'wamid.X' } })).body.error.code, 131009);
    const react = (id: string) => stage.send({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } });
    const [good, bad] = [await react(message.id), await react('wamid.X')];
    const statuses = await stage.statuses();
    const of = (answer: typeof good) => statuses.filter(({ id }) => id === answer.body.messages[0].id);
    assert.deepEqual(
      of(good).map(({ status }) => status),
      ['sent'],
    );
    assert.deepEqual(
      of(bad).map(({ status }) => status),
      ['failed'],
    );
  });
});
