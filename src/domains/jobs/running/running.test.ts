import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { onlyPlain } from '../../../../test/kit/database.ts';
import { stageOf } from '../../../../test/kit/jobs/job-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { startJobs } from '../index.ts';

const recipients = (count: number, begin = '+4479') =>
  Array.from({ length: count }, (_, index) => `${begin}${String(index).padStart(8, '0')}`);

describe('Running a job', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let stage: ReturnType<typeof stageOf>;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = stageOf(app);
  });
  after(() => app.close());

  const started: { stop(): Promise<void> }[] = [];
  const startWorking = () => {
    const jobs = startJobs(app.deps);
    started.push(jobs);
    return jobs;
  };
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop();
  });

  const smsWith = async (text: string): Promise<string[]> =>
    (await app.deps.db.selectFrom('sms').select('to_number').where('text', '=', text).execute()).map(
      (row) => row.to_number,
    );
  const change = (id: string, values: object) =>
    app.deps.db.updateTable('jobs').set(values).where('uuid', '=', id).execute();
  const row = (id: string) =>
    app.deps.db.selectFrom('jobs').selectAll().where('uuid', '=', id).executeTakeFirstOrThrow();
  /** Waits until so many sessions wait for a lock. */
  const lockWaiters = (count: number) =>
    until(
      async () =>
        (
          await sql<{ count: number }>`select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(app.deps.db)
        ).rows[0]!.count,
      (waiting) => waiting >= count,
    );

  it('takes over from a process that is dead, and goes on exactly where that was', async () => {
    const id = await stage.submit('sms.send', { from: 'Parley', to: recipients(700), text: 'Taken over' });
    // A worker of that number would hold a lock; nobody does.
    await change(id, { status: 'RUNNING', claimed_by: 12_345, done: 500, counts: { succeeded: 500, failed: 0 } });
    startWorking();
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: 700, failed: 0 }]);
    assert.deepEqual((await smsWith('Taken over')).sort(), recipients(700).slice(500));
  });

  it('a job that kills every process that takes it is given up', async () => {
    const id = await stage.submit('sms.send', { from: 'Parley', to: recipients(1), text: 'Deadly' });
    await change(id, { status: 'RUNNING', claimed_by: 12_345, attempts: 5 });
    startWorking();
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.progress.done], ['FAILED', 0]);
    assert.match(job.reason, /^An unexpected error came again at every try\./);
  });

  // Citus locks all numbers, a table that every node has, where one is meant.
  it('cancelled in the middle: the step under way is whole, the rest is untouched', onlyPlain, async () => {
    const { body } = await app.call('POST', '/v2/number/bulk/', [{ country_code: 'GB' }, { country_code: 'GB' }]);
    const [first, second] = body.map(({ number }: { number: string }) => number);
    // Three steps of fifty; the second one changes the second number, which somebody holds.
    const items = Array.from({ length: 150 }, (_, index) => ({
      number: index === 75 ? second : first,
      call_tracking: `Step ${Math.floor(index / 50)}`,
    }));
    startWorking();
    const held = Promise.withResolvers<void>();
    const holding = app.deps.db.transaction().execute(async (db) => {
      await sql`select from numbers where digits = ${second.slice(1)} for update`.execute(db);
      await held.promise;
    });
    const id = await stage.submit('numbers.update', { items });
    await until(
      () => stage.job(id),
      ({ progress }) => progress.done === 50,
    );
    await lockWaiters(1);
    const cancelling = app.call('POST', `/v3/jobs/${id}/cancel/`);
    await lockWaiters(2);
    held.resolve();
    await holding;
    const cancelled = await cancelling;
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELLED']);
    assert.deepEqual(cancelled.body.progress, { done: 100, total: 150 });
    assert.deepEqual(cancelled.body.result, { succeeded: 100, failed: 0 });
    assert.equal((await stage.results(id)).length, 100);
    for (const number of [first, second]) {
      assert.equal((await app.call('GET', `/v2/number/${number}/`)).body.call_tracking, 'Step 1');
    }
    const again = await app.call('POST', `/v3/jobs/${id}/cancel/`);
    assert.deepEqual([again.status, again.body], [200, cancelled.body]);
  });

  it('stopped in the middle: it lets go, and whoever comes next goes on', async () => {
    const id = await stage.submit('sms.send', { from: 'Parley', to: recipients(3000), text: 'In two parts' });
    const first = startWorking();
    await until(
      () => stage.job(id),
      ({ progress }) => progress.done > 0,
    );
    await first.stop();
    const left = await row(id);
    assert.equal(left.claimed_by, null);
    startWorking();
    await stage.ended(id);
    assert.deepEqual((await smsWith('In two parts')).sort(), recipients(3000));
  });

  describe('when the database refuses', () => {
    before(async () => {
      await sql`create sequence tries`.execute(app.deps.db);
      await sql`
        create function refuse() returns trigger language plpgsql as $$ begin
          if new.text like 'Poison%' then raise exception 'No such thing'; end if;
          if new.text like 'Busy%' then
            perform nextval('tries');
            raise exception 'Come back later' using errcode = '40001';
          end if;
          return new;
        end $$`.execute(app.deps.db);
      await sql`create trigger refuse before insert on sms for each row execute function refuse()`.execute(app.deps.db);
    });

    it('an item that cannot be done stands in its place, and the others are done once each', async () => {
      const messages = recipients(600).map((to, index) => ({
        from: 'Parley',
        to,
        text: index === 510 ? 'Poison' : 'Beside poison',
      }));
      const id = await stage.submit('sms.send', { messages });
      startWorking();
      const job = await stage.ended(id);
      assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: 599, failed: 1 }]);
      assert.deepEqual([job.errors[0].index, job.errors[0].error.code], [510, 'internal_error']);
      assert.equal(new Set(await smsWith('Beside poison')).size, 599);
      assert.equal((await smsWith('Beside poison')).length, 599);
    });

    it('what may pass is tried again five times, ever later, and then given up; what was done stays done', async () => {
      const messages = recipients(501).map((to, index) => ({
        from: 'Parley',
        to,
        text: index === 500 ? 'Busy' : 'Before busy',
      }));
      const id = await stage.submit('sms.send', { messages });
      startWorking();
      let dueAt = '';
      for (let tries = 1; tries <= 5; tries++) {
        const postponed = await until(
          () => row(id),
          ({ attempts }) => attempts === tries,
        );
        assert.deepEqual([postponed.status, postponed.claimed_by, postponed.done], ['RUNNING', null, 500]);
        assert.ok(postponed.due_at > dueAt);
        dueAt = postponed.due_at;
        await change(id, { due_at: '2020-01-01' });
      }
      const job = await stage.ended(id);
      assert.deepEqual([job.status, job.progress.done, job.result], ['FAILED', 500, { succeeded: 500, failed: 0 }]);
      assert.match(job.reason, /^An unexpected error came again at every try\. What was done until then stays done\.$/);
      assert.equal((await smsWith('Before busy')).length, 500);
      const { rows } = await sql<{ tries: number }>`select last_value as tries from tries`.execute(app.deps.db);
      assert.equal(rows[0]!.tries, 6);
    });
  });
});
