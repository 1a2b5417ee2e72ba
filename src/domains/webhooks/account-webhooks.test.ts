import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { announce, type WebhookEvent } from './announce.ts';
import { eventTypeNames } from './event-types.ts';

const url = 'https://example.com/hook';
const intro = newId();

/** Events of every kind, none of which a number webhook is named for. */
const events: Pick<WebhookEvent, 'type' | 'data'>[] = [
  { type: 'sms.received', data: { from: '+447700900123', to: '+442079460001' } },
  { type: 'call.ended', data: { caller: '+447700900124', called: '+442079460002' } },
  { type: 'number.assigned', data: { number: '+442079460001' } },
  { type: 'chatapp.message.received', data: { chatapp_number: '+44 7700 900001' } },
  { type: 'chat_intro.connected', data: { chat_intro: intro, chatapp_number: '+447700900002' } },
  { type: 'campaign.completed', data: {} },
];
const all = events.map(({ type }) => type);

describe('A webhook of the account', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' }, { madeUpEvents: true });
  });
  after(() => app.close());

  const cases: [title: string, request: object, heard: string[]][] = [
    ['hears of everything', {}, all],
    ['hears of the types it names', { events: ['sms.received', 'call.ended'] }, ['sms.received', 'call.ended']],
    ['of a number, in any notation', { filter: { number: '020 7946 0001' } }, ['sms.received', 'number.assigned']],
    ['of several numbers', { filter: { number: ['+442079460001', '00442079460002'] } }, all.slice(0, 3)],
    ['of a sender', { filter: { sender: '+447700900001' } }, ['chatapp.message.received']],
    ['of an intro', { filter: { intro: intro.toUpperCase() } }, ['chat_intro.connected']],
    ['of an intro and a sender, both', { filter: { intro, sender: '+447700900001' } }, []],
    ['of a type and a number', { events: ['sms.received'], filter: { number: '+442079460001' } }, ['sms.received']],
  ];
  for (const [title, request, heard] of cases) {
    it(title, async () => {
      const made = await app.call('POST', '/v2/webhooks/', { url, ...request });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual(made.body.filter, (request as { filter?: object }).filter ?? {});
      await announce(
        app.deps.db,
        app.deps,
        events.map((event) => ({ accountId: app.accountId, ...event })),
      );
      const { results } = (await app.call('GET', `/v2/webhook-deliveries/?webhook=${made.body.uuid}`)).body;
      assert.deepEqual(results.map(({ type }: { type: string }) => type).toSorted(), heard.toSorted());
      await app.call('DELETE', `/v2/webhooks/${made.body.uuid}/`);
    });
  }

  it('a changed filter counts at once, and stays when it is not named', async () => {
    const { uuid } = (await app.call('POST', '/v2/webhooks/', { url, filter: { sender: '+447700900009' } })).body;
    const place = `/v2/webhooks/${uuid}/`;
    const kept = await app.call('PATCH', place, { description: 'CRM' });
    assert.deepEqual(kept.body.filter, { sender: '+447700900009' });
    await app.call('PATCH', place, { filter: { sender: '+447700900001' } });
    await announce(
      app.deps.db,
      app.deps,
      events.map((event) => ({ accountId: app.accountId, ...event })),
    );
    assert.equal((await app.call('GET', `/v2/webhook-deliveries/?webhook=${uuid}`)).body.count, 1);
  });

  it('may subscribe every type there is, and 400 for a filter that is none', async () => {
    const every = await app.call('POST', '/v2/webhooks/', { url, events: eventTypeNames });
    assert.equal(every.status, 201, JSON.stringify(every.body));
    for (const [filter, field] of [
      [{ number: 'abc' }, 'number'],
      [{ intro: 'x' }, 'intro'],
      [{ sender: [] }, 'sender'],
    ] as const) {
      const { status, body } = await app.call('POST', '/v2/webhooks/', { url, filter });
      assert.deepEqual([status, Object.keys(body.filter ?? {})], [400, [field]], JSON.stringify(body));
    }
  });

  it('hears of SMS that are sent from a name', async () => {
    const { uuid } = (await app.call('POST', '/v2/webhooks/', { url, events: ['sms.status'] })).body;
    const sms = await app.call('POST', '/v2/send-sms/', { from: 'Mill', to: '+447700900123', text: 'Hello' });
    assert.equal(sms.status, 201, JSON.stringify(sms.body));
    await app.call('DELETE', `/v2/send-sms/${sms.body.uuid}/`);
    const { results } = (await app.call('GET', `/v2/webhook-deliveries/?webhook=${uuid}`)).body;
    assert.deepEqual(
      results.map(({ type, subject }: { type: string; subject: string }) => [type, subject]),
      [['sms.status', sms.body.uuid]],
    );
  });
});
