import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { newId } from '../../platform/ids.ts';
import { followClocks, moveClock, realAtText, virtualNow } from './clock.ts';
import { keepTaken } from './queries.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const hourMs = 3_600_000;

test('a notice reads the clock that it names, and no other; without a name all are read', async () => {
  const { db, listener, clock, log } = app.deps;
  const [one, other] = [newId(), newId()];
  await sql`insert into accounts (uuid, name) values (${one}, 'One'), (${other}, 'Other')`.execute(db);
  const clocks = followClocks({ db, listener, clock, log, onMoved() {} });
  await clocks.read();
  assert.equal(clocks.aheadMs(), 0);
  await sql`insert into sandbox_clocks (account_id, real_base, virtual_base, speed)
    values (${other}, now(), now() + interval '1 day', 1)`.execute(db);
  await moveClock(db, one, { advanceSeconds: 3600 });
  await until(
    () => clocks.get(one),
    (setting) => setting !== undefined,
  );
  assert.equal(clocks.get(other), undefined);
  assert.ok(clocks.aheadMs() >= hourMs - 1000 && clocks.aheadMs() < 2 * hourMs, `${clocks.aheadMs()} ms`);
  listener.wakeAll();
  await until(
    () => clocks.get(other),
    (setting) => setting !== undefined,
  );
  assert.ok(clocks.aheadMs() > 23 * hourMs);
  await moveClock(db, one, { speed: 2 });
  await until(
    () => clocks.get(one)!,
    ({ speed }) => speed === 2,
  );
  assert.ok(clocks.aheadMs() > 1000 * 24 * hourMs, 'a fast clock may be anywhere');
});

test('when a moment comes in real time is known, a little early at most', async () => {
  const nowMs = Date.now();
  for (const speed of [0.001, 0.5, 1, 1.5, 60, 100_000])
    for (const aheadMs of [-hourMs, 0, 240 * hourMs])
      for (const dueInMs of [0, 700, hourMs, 1000 * hourMs]) {
        const setting = { realBaseMs: nowMs, virtualBaseMs: nowMs + aheadMs, speed };
        const due = new Date(setting.virtualBaseMs + dueInMs);
        const { rows } = await sql<{ ms: number }>`
          select extract(epoch from ${sql.raw(realAtText('wanted.due'))})::float8 * 1000 as ms
          from (values (${due.toISOString()}::timestamptz)) as wanted (due), (values (
            ${new Date(nowMs).toISOString()}::timestamptz,
            ${new Date(setting.virtualBaseMs).toISOString()}::timestamptz, ${speed}::float8)) as clock (real_base, virtual_base, speed)`.execute(
          app.deps.db,
        );
        const { ms } = rows[0]!;
        const told = JSON.stringify({ speed, aheadMs, dueInMs, ms });
        assert.ok(virtualNow(setting, ms + 2).getTime() >= due.getTime(), told);
        assert.ok(virtualNow(setting, ms - 1).getTime() < due.getTime(), told);
      }
});

test('what was being taken while a clock was moved is due by how it stands then', async () => {
  const { db, log } = app.deps;
  const accountId = newId();
  await sql`insert into accounts (uuid, name) values (${accountId}, 'Moves')`.execute(db);
  const message = { accountId, uuid: newId(), senderNumber: '+447700900001', toNumber: '+447700900123', type: 'TEXT' };
  await inTransaction(db, async (moving) => {
    await moveClock(moving, accountId, { advanceSeconds: 7200 });
    const dueAt = new Date(Date.now() + hourMs);
    assert.ok(await keepTaken(db, log, [{ message: { ...message, content: {} }, id: newId(), dueAt }]));
  });
  await until(async () => {
    const { rows } = await sql`
      select 1 from sandbox_messages where account_id = ${accountId} and real_due_at <= now()`.execute(db);
    return rows.length === 1;
  });
});
