import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { campaigner } from '../../../../test/kit/campaigns/campaigner.ts';
import { newId } from '../../../platform/ids.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;

before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());

const review = (campaign: string, body: object = {}, token = app.token) =>
  app.call('POST', `/v2/campaigns/${campaign}/review/`, body, { token });

const person = (list: string, phone_number: string, more: object = {}) =>
  a.make('/v2/contacts/', { phone_number, lists: [list], ...more });

const sms = { channel: 'SMS', sender: 'Parley' };

describe('POST /v2/campaigns/{uuid}/review/', () => {
  test('counts who gets it, and who is left out and why', async () => {
    const list = await a.list(['+447700900701', '+447700900702', '+447700900703']);
    const excluded = await a.list(['+447700900703']);
    await a.make('/v2/opt-outs/', { phone_number: '+447700900702', channel: 'SMS' });
    const campaign = await a.campaign([list], { ...sms, text: 'Hello', excluded_lists: [excluded] });
    const { status, body } = await review(campaign);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.audience, body.people, body.left_out], [2, 1, { opted_out: 1, window_closed: 0 }]);
    assert.deepEqual([body.sms, body.missing, body.held], [{ parts: 1, fewest: 1, most: 1, unicode: 0 }, [], null]);
    assert.deepEqual([body.received, body.warnings], [{ people: 0, launches: [] }, []]);
  });

  test('a text on the chat app leaves out who did not write within a day', async () => {
    const sender = '+447700900001';
    const list = await a.list(['+447700900711', '+447700900712']);
    await a.make('/v2/sandbox/chatapp/messages/', { from: '+447700900711', to: sender, text: { body: 'Hi' } });
    const campaign = await a.campaign([list], { sender, text: 'Hello' });
    const { body } = await review(campaign);
    assert.deepEqual([body.people, body.left_out.window_closed, body.sms], [1, 1, null]);
  });

  test('counts missing values by placeholder with examples, and names what was probably meant', async () => {
    const list = await a.list([]);
    const ana = await person(list, '+447700900721', { name: 'Ana', attributes: { City: 'Madrid', plan: 'A' } });
    await person(list, '+447700900722', { name: 'Ben', attributes: { city: 'Leeds', plan: '' } });
    const cem = await person(list, '+447700900723', { attributes: { 'CI-TY': 'İzmir' } });
    const text = '{{ first_name }} {{ cty }} {{ city }} {{plan}} {{ phone_number }}';
    const campaign = await a.campaign([list], { ...sms, text, fallbacks: {} });
    const { body } = await review(campaign);
    const seen = body.missing.map((one: { placeholder: string; people: number; similar: string | null }) => [
      one.placeholder,
      one.people,
      one.similar,
    ]);
    assert.deepEqual(seen, [
      ['first_name', 1, null],
      ['cty', 3, 'city'],
      ['plan', 2, null],
    ]);
    assert.deepEqual(body.missing[0].examples, [{ contact: cem.uuid, phone_number: '+447700900723', name: '' }]);
    assert.equal(body.missing[1].examples.length, 3);
    assert.ok(body.missing[1].examples.some(({ contact }: { contact: string }) => contact === ana.uuid));
    assert.ok(
      body.warnings.includes('No recipient has a value for {{ cty }}; it will be left empty. Did you mean {{ city }}?'),
      JSON.stringify(body.warnings),
    );
    await app.call('PATCH', `/v2/campaigns/${campaign}/`, { fallbacks: { cty: 'town', First_Name: '', plan: 'B' } });
    assert.deepEqual((await review(campaign)).body.missing, []);
  });

  test('adds up the parts that the texts of all people really have, and what they cost', async () => {
    const list = await a.list([]);
    const names = [
      '',
      'Ana',
      'Zoë {}[]€',
      'Кирилл',
      '👩🏽‍🚀 Jo',
      'x'.repeat(90),
      'ß'.repeat(60),
      '한'.repeat(30),
      'O’Neil',
    ];
    const numbers = names.map((_, index) => `+4477009007${30 + index}`);
    for (const [index, name] of names.entries()) await person(list, numbers[index]!, { name });
    const text = `Hello {{ name }}, ${'we have news for you. '.repeat(3)} {{name}} [end]`;
    const campaign = await a.campaign([list], { ...sms, text });
    assert.equal((await review(campaign)).body.cost, null);
    const prices = { currency: 'GBP', sms_part: 0.04 };
    assert.equal((await app.call('PATCH', '/v2/account/', { prices })).status, 200);
    const { body } = await review(campaign);
    const cut = names.map((name) => segmentText(text.replaceAll(/\{\{ ?name ?\}\}/g, name)));
    const parts = cut.map(({ segments }) => segments.length);
    const total = parts.reduce((sum, each) => sum + each, 0);
    assert.deepEqual(body.sms, {
      parts: total,
      fewest: Math.min(...parts),
      most: Math.max(...parts),
      unicode: cut.filter(({ encoding }) => encoding === 'UCS2').length,
    });
    assert.deepEqual(body.cost, {
      amount: Math.round(total * 4) / 100,
      currency: 'GBP',
      unit_price: 0.04,
      unpriced: 0,
    });
    assert.deepEqual((await app.call('GET', '/v2/account/')).body.prices, prices);
    await app.call('PATCH', '/v2/account/', { prices: null });
  });

  test('estimates by the price of each number: the longest prefix of the safeguards, else the price of the account', async () => {
    const list = await a.list(['+447700900741', '+447700900742', '+33612345678', '+819012345679']);
    const campaign = await a.campaign([list], { ...sms, text: 'Hello' });
    const costWith = async (ofAccount: object | null, byPrefix: object[]) => {
      await app.call('PATCH', '/v2/account/', { prices: ofAccount });
      const { status } = await app.call('PATCH', '/v2/account/safeguards/', { prices: byPrefix });
      assert.equal(status, 200);
      return (await review(campaign)).body.cost;
    };
    const price = (prefix: string, price: number, channel = 'SMS') => ({ channel, prefix, price });
    const byPrefix = [price('+44', 0.04), price('+447700900742', 0.5), price('+33', 0.1), price('+44', 9, 'VOICE')];
    const ofAccount = { currency: 'GBP', sms_part: 0.2 };
    assert.deepEqual(await costWith(ofAccount, byPrefix), {
      amount: 0.84,
      currency: 'GBP',
      unit_price: 0.21,
      unpriced: 0,
    });
    assert.deepEqual(await costWith({ currency: 'GBP' }, [price('+44', 0.04)]), {
      amount: 0.08,
      currency: 'GBP',
      unit_price: 0.02,
      unpriced: 2,
    });
    assert.equal((await costWith({ currency: 'GBP' }, [price('+', 0.3)])).amount, 1.2);
    assert.equal(await costWith({ currency: 'GBP' }, [price('+1', 0.3)]), null);
    assert.equal(await costWith(null, byPrefix), null, 'the currency is not known');
    await costWith(null, []);
  });

  test('says whom quiet hours hold and until when, and when it ends', async () => {
    const list = await a.list([]);
    await person(list, '+447700900751', { time_zone: 'Europe/London' });
    await person(list, '+447700900752');
    await person(list, '+819012345678');
    await person(list, '+447700900753', { time_zone: 'America/New_York' });
    const quiet_hours = { start: '21:00', end: '08:00' };
    const campaign = await a.campaign([list], { ...sms, text: 'Hello', quiet_hours, rate_per_second: 1 });
    const { body } = await review(campaign, { send_at: '2027-01-11T22:30:00Z' });
    assert.equal(body.begins, '2027-01-11T22:30:00.000000Z');
    assert.deepEqual(body.held, {
      people: 3,
      from: '2027-01-11T23:00:00.000000Z',
      until: '2027-01-12T08:00:00.000000Z',
    });
    assert.deepEqual([body.ends, body.rate_per_second], ['2027-01-12T08:00:02.000000Z', 1]);
    const noon = await review(campaign, { send_at: '2027-01-12T13:30:00Z' });
    assert.equal(noon.body.held.people, 1);
    await app.call('PATCH', `/v2/campaigns/${campaign}/`, { quiet_hours: false });
    assert.equal((await review(campaign, { send_at: '2027-01-11T22:30:00Z' })).body.held, null);
  });

  test('says who already got it', async () => {
    const list = await a.list(['+447700900761', '+447700900762']);
    const campaign = await a.campaign([list], { ...sms, text: 'Hello' });
    const log = await a.launch(campaign);
    await a.until(log, a.ended('COMPLETED'));
    await app.call('POST', `/v2/lists/${list}/contacts/`, { phone_numbers: ['+447700900763'] });
    const { body } = await review(campaign);
    assert.deepEqual([body.people, body.received.people], [3, 2]);
    const [launch] = body.received.launches;
    assert.deepEqual([launch.campaign_log, launch.people], [log, 2]);
  });

  test('warns of a launch that would reach nobody, and takes nothing into use', async () => {
    const list = await a.list([]);
    const campaign = await a.campaign([list], { sender: '+447700900999' });
    const { body } = await review(campaign);
    assert.deepEqual(body.warnings, ['Nobody is on the lists, so nobody gets it.']);
    const senders = (await app.call('GET', '/v2/chatapp/accounts/?page_size=200')).body.results;
    assert.ok(!senders.some(({ chatapp_number }: { chatapp_number: string }) => chatapp_number === '+447700900999'));
  });

  test('404 for another tenant’s, 400 at the field for a moment that is none', async () => {
    const campaign = await a.campaign([await a.list([])]);
    assert.equal((await review(campaign, {}, app.otherToken)).status, 404);
    assert.equal((await review(newId())).status, 404);
    assert.deepEqual(Object.keys((await review(campaign, { send_at: 'soon' })).body), ['send_at']);
  });
});

describe('POST /v2/campaigns/{uuid}/pause/', () => {
  test('keeps who paused and why, until it goes on', async () => {
    const list = await a.list(['+447700900771']);
    const campaign = await a.campaign([list], { ...sms, text: 'Hello' });
    await a.launch(campaign, { send_at: '2090-01-01T00:00:00Z' });
    const paused = await app.call('POST', `/v2/campaigns/${campaign}/pause/`, { reason: 'The price is wrong.' });
    assert.deepEqual(
      [paused.status, paused.body.status, paused.body.reason, paused.body.paused_by.type],
      [200, 'PAUSED', 'The price is wrong.', 'TOKEN'],
    );
    assert.ok(paused.body.paused_by.name.length > 0);
    const resumed = await a.steer(campaign, 'resume');
    assert.deepEqual([resumed.body.reason, resumed.body.paused_by], ['', null]);
    assert.equal((await a.steer(campaign, 'pause')).body.reason, 'Paused by the account.');
    await a.steer(campaign, 'cancel');
  });
});
