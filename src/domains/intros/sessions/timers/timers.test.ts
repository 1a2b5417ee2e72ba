import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../../test/kit/app.ts';
import { makeIntro, makeSession, sessionOf } from '../../../../../test/kit/intros/make-intro.ts';
import { until } from '../../../../../test/kit/until.ts';
import { clockTopic } from '../../../../carriers/ports/carriers.ts';
import { notify } from '../../../../platform/db/connect/listener.ts';
import { inTransaction } from '../../../../platform/db/connect/pool.ts';
import { lockSessions, updateSessions } from '../queries.ts';
import { dueTopic } from './due.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

describe('What is due in sessions of intros', () => {
  let app: TestApp;
  /** Another tenant, whose clock is ten days behind. */
  let other: Pick<TestApp, 'deps' | 'accountId' | 'call'>;
  let [intro, theirs] = ['', ''];
  before(async () => {
    app = await startTestApp();
    const { rows } = await sql<{ uuid: string }>`select uuid from accounts where name = 'Another tenant'`.execute(
      app.deps.db,
    );
    const call: TestApp['call'] = (method, url, body, options) =>
      app.call(method, url, body, { token: app.otherToken, ...options });
    other = { deps: app.deps, accountId: rows[0]!.uuid, call };
    intro = (await makeIntro(app)).uuid;
    theirs = (await makeIntro(other, { chatapp_number: '+44 20 7946 0012' })).uuid;
    await sql`insert into sandbox_clocks (account_id, real_base, virtual_base, speed)
      values (${other.accountId}, now(), now() - interval '10 days', 1)`.execute(app.deps.db);
    await notify(app.deps.db, clockTopic, other.accountId);
  });
  after(() => app.close());

  let people = 0;
  const make = (api: Pick<TestApp, 'deps' | 'accountId' | 'call'>, chatIntro: string, fields: object) =>
    makeSession(api, chatIntro, { aparty_digits: `4477009${String(++people).padStart(5, '0')}`, ...fields });
  const stateOf = async ({ uuid }: { uuid: string }) => {
    const { open, status, notify_due_at } = await sessionOf(app, uuid);
    return { open, status, isWaiting: notify_due_at !== null };
  };
  const ended = { open: false, status: 'EXPIRED', isWaiting: false };
  const going = { open: true, status: 'NOTIFIED', isWaiting: false };
  const become = (session: { uuid: string }, state: object) =>
    until(
      () => stateOf(session),
      (found) => JSON.stringify(found) === JSON.stringify(state),
    );

  it('is the end of those that were quiet for seven days, in the time of their account, and a notification', async () => {
    const behind = await make(other, theirs, { last_activity_at: ago(8) });
    const fresh = await make(app, intro, { last_activity_at: ago(6) });
    const waiting = await make(app, intro, { notify_due_at: new Date(Date.now() + 3_600_000).toISOString() });
    const due = await make(app, intro, { notify_due_at: ago(1) });
    const quiet = await make(app, intro, { last_activity_at: ago(8) });
    await Promise.all([become(due, going), become(quiet, ended)]);
    assert.deepEqual(await Promise.all([behind, fresh].map(stateOf)), [going, going]);
    assert.deepEqual(await stateOf(waiting), { ...going, isWaiting: true });

    await other.call('POST', '/v2/sandbox/clock/', { advance_seconds: (10 * dayMs) / 1000 });
    await become(behind, ended);
  });

  it('is told of when it is written down for an account with a clock of its own, and found when that is moved on', async () => {
    const { db, listener } = app.deps;
    const heard: string[] = [];
    listener.on(dueTopic, (accountId) => void heard.push(accountId));
    const notifyNow = (accountId: string, uuid: string) =>
      inTransaction(db, async (db) => {
        const [row] = await lockSessions(db, accountId, [uuid]);
        await updateSessions(db, accountId, [{ ...row!, notify_due_at: ago(0) }]);
      });
    const [ours, session] = [await make(app, intro, {}), await make(other, theirs, {})];
    await notifyNow(app.accountId, ours.uuid);
    await notifyNow(other.accountId, session.uuid);
    await Promise.all([become(ours, going), become(session, going)]);
    await until(() => heard.length);
    assert.deepEqual(heard, [other.accountId]);
    await other.call('POST', '/v2/sandbox/clock/', { advance_seconds: (8 * dayMs) / 1000 });
    await become(session, ended);
  });

  it('waits while an account is suspended', async () => {
    const { db } = app.deps;
    const suspend = (status: string) =>
      sql`update accounts set status = ${status} where uuid = ${other.accountId}`.execute(db);
    await suspend('SUSPENDED');
    const held = await make(other, theirs, { last_activity_at: ago(30) });
    await notify(db, clockTopic, other.accountId);
    const quiet = await make(app, intro, { last_activity_at: ago(8) });
    await become(quiet, ended);
    assert.deepEqual(await stateOf(held), going);
    await suspend('ACTIVE');
    await become(held, ended);
  });
});
