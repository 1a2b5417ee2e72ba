import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { followClocks, moveClock } from './clock.ts';

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
