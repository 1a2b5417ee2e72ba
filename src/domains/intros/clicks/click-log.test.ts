import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeIntro, told } from '../../../../test/kit/intros/make-intro.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { makeLog } from '../../../platform/log.ts';
import { type Click, startClickLog } from './click-log.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const click = (chatIntro: string, visitor: string, openedAt = new Date()): Click => ({
  accountId: app.accountId,
  chatIntro,
  link: 'INTRO',
  session: null,
  visitor,
  atMs: Date.now(),
  openedMs: openedAt.getTime(),
});
const visitors = async (chatIntro: string) =>
  (await told(app, chatIntro, 'chat_intro.clicked')).map(({ visitor }) => visitor);
const droppedOf = async (metrics: Registry) =>
  (await metrics.getSingleMetric('parley_link_clicks_dropped_total')!.get()).values[0]?.value ?? 0;

/** Takes the place where clicks are written down away, and brings it back. */
const takeAway = () => sql`alter table click_batches rename to batches_elsewhere`.execute(app.deps.db);
const bringBack = () => sql`alter table if exists batches_elsewhere rename to click_batches`.execute(app.deps.db);
/** What goes wrong on purpose is not to be read about. */
const silent = () => ({ ...app.deps, log: makeLog({ level: 'silent', pretty: false }) });

/** The same, which counts the attempts to write that failed. */
function failing() {
  const deps = silent();
  let failures = 0;
  const warn = (_fields: object, sentence: string): void => {
    if (sentence.startsWith('Writing')) failures++;
  };
  return { deps: { ...deps, log: Object.assign(Object.create(deps.log), { warn }) }, failures: () => failures };
}

describe('The click log', () => {
  it('writes what is left when it is stopped, and keeps the order', async () => {
    const { uuid } = await makeIntro(app);
    const log = startClickLog(app.deps, new Registry());
    const names = Array.from({ length: 1_234 }, (_, index) => `v${index}`);
    for (const name of names) log.add(click(uuid, name));
    await log.stop();
    // The app has a log of its own, which may be telling of them just now.
    const written = await until(
      () => visitors(uuid),
      ({ length }) => length >= names.length,
    );
    assert.deepEqual(written, names);
  });

  it('writes everything soon after a rush that is over, without being asked', async (t) => {
    const { uuid } = await makeIntro(app);
    const log = startClickLog(app.deps, new Registry());
    t.after(() => log.stop());
    // So many that writing outlasts the last click by far, and a few are left over from the last full batch.
    const rush = 20_400;
    for (let index = 0; index < rush; index++) log.add(click(uuid, 'v'));
    await until(
      () => visitors(uuid),
      ({ length }) => length === rush,
    );
  });

  it('notes the latest opening of each intro, in whatever order they come', async () => {
    const [one, two] = [await makeIntro(app), await makeIntro(app)];
    const log = startClickLog(app.deps, new Registry());
    const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
    for (const seconds of [5, 9, 3]) log.add(click(one.uuid, 'a', at(seconds)));
    log.add(click(two.uuid, 'b', at(1)));
    await log.stop();
    const rows = await until(
      () =>
        app.deps.db
          .selectFrom('intro_keys')
          .select(['chat_intro', 'opened_at'])
          .where('chat_intro', 'in', [one.uuid, two.uuid])
          .execute(),
      (found) => found.length === 2 && found.every(({ opened_at }) => opened_at !== null),
    );
    const opened = new Map(rows.map((row) => [row.chat_intro, Date.parse(row.opened_at!)]));
    assert.equal(opened.get(one.uuid), at(9).getTime());
    assert.equal(opened.get(two.uuid), at(1).getTime());
  });

  it('while the database takes nothing keeps the newest, counts what it drops, and writes them afterwards', async (t) => {
    const { uuid } = await makeIntro(app);
    const metrics = new Registry();
    const { deps, failures } = failing();
    const log = startClickLog(deps, metrics, 1_000);
    t.after(() => log.stop());
    t.after(bringBack);
    await takeAway();
    const untilAttempt = (before = failures()) =>
      until(
        async () => failures(),
        (now) => now > before,
      );
    for (let index = 0; index < 500; index++) log.add(click(uuid, `v${index}`));
    await untilAttempt();
    for (let index = 500; index < 3_000; index++) log.add(click(uuid, `v${index}`));
    // What an attempt has in hand is back when it failed, and only then it is known what is dropped.
    await untilAttempt();
    const dropped = await droppedOf(metrics);
    assert.ok(dropped >= 2_000 && dropped <= 2_020, `${dropped} were dropped`);
    await bringBack();
    const found = await until(
      () => visitors(uuid),
      ({ length }) => length > 0,
    );
    assert.equal(found.length + dropped, 3_000);
    assert.equal(found.at(-1), 'v2999');
    await log.stop();
    assert.equal((await visitors(uuid)).length, found.length, 'nothing is written twice');
  });

  it('gives up at the end when the database still takes nothing, and says how much was lost', async (t) => {
    t.after(bringBack);
    const metrics = new Registry();
    const log = startClickLog(silent(), metrics);
    await takeAway();
    for (let index = 0; index < 7; index++) log.add(click(newId(), 'v'));
    await log.stop();
    assert.equal(await droppedOf(metrics), 7);
  });
});
