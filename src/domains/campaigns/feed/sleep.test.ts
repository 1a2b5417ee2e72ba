import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { assertAddsUp, campaigner } from '../../../../test/kit/campaigns/campaigner.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { findOpenAnyAccount, mostOpen, sleepUntil, somethingText, takeLog } from '../logs/queries.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());
beforeEach(async () => {
  assert.equal((await app.call('POST', '/v2/sandbox/clock/', { reset: true })).status, 200);
});

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
const timeOf = (moment: string): string => moment.slice(11, 16);

const wakesAt = async (uuid: string): Promise<string> => {
  const { rows } = await sql<{ wakes_at: string }>`select wakes_at from campaign_logs where uuid = ${uuid}`.execute(
    app.deps.db,
  );
  return rows[0]!.wakes_at;
};
const sleeps = (uuid: string, moment: string): Promise<unknown> =>
  until(
    () => wakesAt(uuid),
    (at) => Date.parse(at) === Date.parse(moment),
  );
const isAnybodyLooking = async (): Promise<boolean> => {
  const { rows } = await sql<{ looking: boolean }>`select ${sql.raw(somethingText)} as looking`.execute(app.deps.db);
  return rows[0]!.looking;
};

/** A launch that a person is held in, whose quiet hours are over in two hours; and when that is. */
async function launchHeld(number: string) {
  const list = await a.list([]);
  await a.make('/v2/contacts/', { phone_number: number, time_zone: 'UTC', lists: [list] });
  const quiet_hours = { start: timeOf(inHours(-2)), end: timeOf(inHours(2)) };
  const uuid = await a.launch(await a.campaign([list], { quiet_hours }));
  const log = await a.until(uuid, ({ held }) => held === 1);
  assertAddsUp(log);
  await sleeps(uuid, log.eta);
  return uuid;
}

describe('a launch that has nothing to do yet', () => {
  it('sleeps until it is to start, also after a pause, and wakes when the account’s clock is there', async () => {
    const campaign = await a.campaign([await a.list(['+447700900641'])]);
    const start = inHours(24);
    const uuid = await a.launch(campaign, { send_at: start });
    await sleeps(uuid, start);
    await a.steer(campaign, 'pause');
    assert.equal(await wakesAt(uuid), '-infinity');
    await a.steer(campaign, 'resume');
    await sleeps(uuid, start);
    assert.equal(await isAnybodyLooking(), false);
    assert.deepEqual(await findOpenAnyAccount(app.deps.db, new Date(), undefined), []);
    await a.advance(25 * 3600);
    await a.until(uuid, a.ended('COMPLETED'));
  });

  it('starts at its moment, though nobody tells', async () => {
    const campaign = await a.campaign([await a.list(['+447700900642'])]);
    const start = new Date(Date.now() + 2500);
    const uuid = await a.launch(campaign, { send_at: start.toISOString() });
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assert.ok(Date.parse(log.started) >= start.getTime());
  });

  it('sleeps while everybody is held, and goes on when the first is not any more', async () => {
    const uuid = await launchHeld('+447700900643');
    assert.equal(await isAnybodyLooking(), false);
    const { db } = app.deps;
    // As if it were morning.
    await sql`update contacts set time_zone = 'Pacific/Auckland' where digits = '447700900643'`.execute(db);
    await sql`update campaign_recipients set due_at = now() where campaign_log = ${uuid}`.execute(db);
    await sql`update campaign_logs set wakes_at = now() where uuid = ${uuid}`.execute(db);
    assertAddsUp(await a.until(uuid, a.ended('COMPLETED')));
  });

  it('of which everybody is held wakes when the account’s clock is there', async () => {
    const uuid = await launchHeld('+447700900644');
    await a.advance(3 * 3600);
    assertAddsUp(await a.until(uuid, a.ended('COMPLETED')));
  });

  it('wakes though it was going to sleep while the clock was moved', async () => {
    const start = inHours(24);
    const uuid = await a.launch(await a.campaign([await a.list(['+447700900645'])]), { send_at: start });
    await sleeps(uuid, start);
    const log = { account_id: app.accountId, uuid };
    await within(app.deps, async ({ db }) => {
      assert.ok(await takeLog(db, log));
      await sleepUntil(db, log, start);
      await a.advance(25 * 3600);
    });
    await a.until(uuid, a.ended('COMPLETED'));
  });
});

it('where more launches run than are read at once, all of them have their turn', async () => {
  const idle = await startTestApp({ ROLES: 'api' });
  const { db } = idle.deps;
  const another = newId();
  await sql`insert into accounts (uuid, name) values (${another}, 'Another')`.execute(db);
  for (const [accountId, count] of [
    [idle.accountId, mostOpen + 500],
    [another, 1],
  ] as const) {
    await sql`
      insert into campaign_logs (account_id, uuid, campaign, status, snapshot, start_at)
      select ${accountId}, uuidv7(), uuidv7(), 'RUNNING', '{}', '-infinity' from generate_series(1, ${sql.lit(count)})`.execute(
      db,
    );
  }
  const first = await findOpenAnyAccount(db, new Date(), undefined);
  const rest = await findOpenAnyAccount(db, new Date(), first.at(-1));
  await idle.close();
  assert.deepEqual([first.length, rest.length], [mostOpen, 501]);
  assert.equal(new Set([...first, ...rest].map(({ uuid }) => uuid)).size, mostOpen + 501);
  assert.equal(rest.at(-1)!.account_id, another);
});
