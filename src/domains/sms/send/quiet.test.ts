import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
let stage: Stage;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  stage = await startStage(app);
});
after(async () => {
  await stage.stop();
  await app.close();
});

/** `HH:MM` so many hours from now, by the clocks of a zone. */
const clock = (hours: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    Date.now() + hours * 3_600_000,
  );
/** It is the middle of the night in a zone. */
const beQuiet = async (timeZone: string): Promise<string> => {
  const end = clock(2, timeZone);
  const change = { time_zone: 'Europe/London', quiet_hours: { start: clock(-2, timeZone), end } };
  assert.equal((await app.call('PATCH', '/v2/account/', change)).status, 200);
  return end;
};
const tokyo = '+819012345678';

it('an SMS waits for the morning of its recipient, says so, and can be cancelled', async () => {
  const end = await beQuiet('Asia/Tokyo');
  const uuid = await stage.send('Good evening', { to: tokyo, validity_seconds: 3600 });
  const record = await stage.record(uuid);
  assert.deepEqual(
    [record.status, record.status_description],
    ['QUEUED', `Held until ${end} in Asia/Tokyo: quiet hours.`],
  );
  assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.held']);
  const logs = (await app.call('GET', `/v2/send-sms/${uuid}/status-logs/`)).body.results;
  assert.deepEqual(
    logs.map((log: Record<string, unknown>) => [log['status'], log['status_description'], log['applied']]),
    [
      ['QUEUED', '', true],
      ['QUEUED', record.status_description, true],
    ],
  );
  const foreign = await app.call('GET', `/v2/send-sms/${uuid}/status-logs/`, undefined, { token: app.otherToken });
  assert.equal(foreign.status, 404);
  const state = await app.deps.db.selectFrom('sms_states').selectAll().where('uuid', '=', uuid).executeTakeFirst();
  const due = Date.parse(state!.due_at);
  assert.ok(due > Date.now() + 1.9 * 3_600_000 && due <= Date.now() + 2 * 3_600_000, state!.due_at);
  assert.equal(Date.parse(state!.expires_at!), due + 3_600_000, 'valid from when it may leave');
  // Where it is day it leaves; where nobody knows, the account's own clock counts, and there it is day, too.
  await stage.becomes(await stage.send('Hello', { to: '+447700900123' }), 'SENT');
  await stage.becomes(await stage.send('Hello', { to: '+12125550100' }), 'SENT');
  assert.equal((await app.call('DELETE', `/v2/send-sms/${uuid}/`)).status, 204);
});

it('it leaves in the morning, and when it has left nothing is said of the night', async () => {
  await beQuiet('Asia/Tokyo');
  const uuid = await stage.send('Good morning', { to: tokyo });
  await app.deps.db.updateTable('sms_states').set({ due_at: '-infinity' }).where('uuid', '=', uuid).execute();
  assert.equal((await stage.becomes(uuid, 'SENT')).status_description, '');
});

it('what is scheduled for the night is held, too; what is scheduled for the day is not', async () => {
  const end = await beQuiet('Asia/Tokyo');
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const night = await stage.send('At night', { to: tokyo, send_at: at(1) });
  assert.equal((await stage.record(night)).status_description, `Held until ${end} in Asia/Tokyo: quiet hours.`);
  const day = await stage.send('By day', { to: tokyo, send_at: at(4) });
  assert.equal((await stage.record(day)).status_description, '');
});

it('answers are not held, nor what says that it cannot wait', async () => {
  await beQuiet('Asia/Tokyo');
  await stage.becomes(await stage.send('Your code: 123456', { to: tokyo, ignore_quiet_hours: true }), 'SENT');
  await stage.receive([
    { kind: 'message', id: null, from: tokyo, to: '+441614960000', text: 'Hello?', encoding: 'GSM7', at: new Date() },
  ]);
  await stage.becomes(await stage.send('Good evening', { to: tokyo }), 'SENT');
  const several = await app.call('POST', '/v2/send-sms/multiple/', {
    from: 'Parley',
    text: 'Hello',
    to: [tokyo, '+819012345679'],
  });
  const descriptions = several.body.results.map((one: { status_description: string }) => one.status_description);
  assert.deepEqual([descriptions[0], /^Held until/.test(descriptions[1])], ['', true]);
});

it('an account without quiet hours sends at any time', async () => {
  await app.call('PATCH', '/v2/account/', { quiet_hours: null });
  const uuid = await stage.send('Good evening', { to: '+819012345679' });
  await until(
    () => stage.record(uuid),
    ({ status }) => status === 'SENT',
  );
});
