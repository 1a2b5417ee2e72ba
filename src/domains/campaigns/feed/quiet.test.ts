import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { assertAddsUp, campaigner } from '../../../../test/kit/campaigns/campaigner.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());

/** Stops the account's time at a moment. */
async function stopAt(moment: string): Promise<void> {
  const { now } = (await app.call('POST', '/v2/sandbox/clock/', { speed: 0 })).body;
  const advance_seconds = (Date.parse(moment) - Date.parse(now)) / 1000;
  const moved = await app.call('POST', '/v2/sandbox/clock/', { advance_seconds });
  assert.equal(new Date(moved.body.now).toISOString(), new Date(moment).toISOString());
}

/** In the order of time, which does not go back: each has its clocks changed in this night. */
const nights = [
  {
    zone: 'America/New_York',
    number: '+12125550601',
    evening: '2027-03-14T03:00:00Z',
    morning: '2027-03-14T12:00:00Z',
  },
  { zone: 'Europe/London', number: '+447700900601', evening: '2027-03-27T22:00:00Z', morning: '2027-03-28T07:00:00Z' },
  {
    zone: 'Australia/Sydney',
    number: '+61491570601',
    evening: '2027-04-03T11:00:00Z',
    morning: '2027-04-03T22:00:00Z',
  },
  { zone: 'Europe/London', number: '+447700900602', evening: '2027-10-30T21:00:00Z', morning: '2027-10-31T08:00:00Z' },
];

describe('quiet hours', () => {
  test('hold a message until eight in the morning of the recipient, to the second, also when clocks change', async () => {
    for (const { zone, number, evening, morning } of nights) {
      await stopAt(evening);
      const list = await a.list([]);
      await a.make('/v2/contacts/', { phone_number: number, time_zone: zone, lists: [list] });
      const quiet_hours = { start: '21:00', end: '08:00' };
      const sms = { channel: 'SMS', sender: 'Parley', text: 'News' };
      const launches = [
        await a.launch(await a.campaign([list], { quiet_hours })),
        await a.launch(await a.campaign([list], { quiet_hours, ...sms })),
      ];
      for (const uuid of launches) assertAddsUp(await a.until(uuid, (log) => log.held === 1));
      await stopAt(new Date(Date.parse(morning) - 1000).toISOString());
      const other = await a.launch(await a.campaign([list], { quiet_hours: false }));
      await a.until(other, a.ended('COMPLETED'));
      for (const uuid of launches) {
        const held = await a.log(uuid);
        assert.deepEqual([held.held, held.status], [1, 'RUNNING'], `${zone}: not a second before`);
        assert.equal(Date.parse(held.eta), Date.parse(morning));
      }
      await stopAt(morning);
      for (const uuid of launches) {
        const log = await a.until(uuid, a.ended('COMPLETED'));
        assertAddsUp(log);
        assert.equal(log.held, 0);
      }
    }
  });

  test('are those of the account unless the campaign has its own, by the number where the contact has no time zone', async () => {
    await app.call('PATCH', '/v2/account/', { quiet_hours: { start: '20:00', end: '09:00' }, time_zone: 'UTC' });
    await stopAt('2028-01-10T03:00:00Z');
    // Three in the morning in London, noon in Tokyo; the last is of a country with several times.
    const list = await a.list(['+447700900611', '+81312345678', '+12125550611']);
    for (const [channel, content] of [
      ['CHATAPP', {}],
      ['SMS', { channel: 'SMS', sender: 'Parley', text: 'News' }],
    ] as const) {
      const uuid = await a.launch(await a.campaign([list], content));
      const log = await a.until(uuid, (now) => now.held === 2 && now.sent === 1);
      assertAddsUp(log);
      assert.equal(log.channel, channel);
    }
    for (const content of [{}, { channel: 'SMS', sender: 'Parley', text: 'News' }]) {
      const campaign = await a.campaign([list], { ...content, quiet_hours: false });
      await a.until(await a.launch(campaign), a.ended('COMPLETED'));
    }
  });

  test('do not keep a launch from being cancelled, and then nobody gets it in the morning', async () => {
    await stopAt('2028-02-10T03:00:00Z');
    const list = await a.list(['+447700900621', '+447700900622']);
    const campaign = await a.campaign([list], { quiet_hours: { start: '20:00', end: '09:00' } });
    const uuid = await a.launch(campaign);
    await a.until(uuid, (log) => log.held === 2);
    const { body } = await a.steer(campaign, 'cancel');
    assertAddsUp(body);
    assert.deepEqual([body.held, body.skipped_by_reason], [0, { cancelled: 2 }]);
    const file = (await app.call('GET', `/v2/campaign-logs/${uuid}/export/`)).body;
    assert.match(file, /\+447700900621,,SKIPPED,cancelled/);
    await stopAt('2028-02-10T12:00:00Z');
    await a.until(await a.launch(await a.campaign([list])), a.ended('COMPLETED'));
    assert.equal((await a.phone('+447700900621')).length, 1);
  });
});
