import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import { appendEvents } from '../../timeline/index.ts';
import { type FunnelQuery, funnelStatement } from './funnel-queries.ts';

const intros = '/v2/chatapp/chat-intros/';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const createIntro = async (meta_data: object = {}): Promise<string> =>
  (await app.call('POST', intros, { chatapp_number: '+442079460011', meta_data })).body.uuid;

const click = (intro: string, link: string, visitor: string) =>
  appendEvents(app.deps.db, [
    {
      accountId: app.accountId,
      subjectType: 'chat_intro',
      subject: intro,
      kind: 'chat_intro.clicked',
      data: { link, session: null, visitor },
    },
  ]);

const start = Date.parse('2026-01-01T10:00:00Z');
/** A moment, so many seconds after the start. */
const at = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(start + seconds * 1000).toISOString();

interface Story {
  status: string;
  replied?: number;
  replyStatus?: string;
  read?: number;
  notified?: number;
  connected?: number;
  apartyConnected?: number;
}

/** A session as the engine would leave it: each step so many seconds after the start. */
async function tell(chat_intro: string, story: Story, accountId = app.accountId): Promise<void> {
  const { db } = app.deps;
  const [uuid, sender, digits] = [newId(), newId(), newId()];
  const reply = story.replied === undefined ? null : newId();
  await db
    .insertInto('intro_sessions')
    .values({
      account_id: accountId,
      uuid,
      chat_intro,
      chatapp_account: sender,
      aparty_number: digits,
      aparty_digits: digits,
      status: story.status,
      intro: '{}',
      variables: '{}',
      flow_token: '',
      bparty_shortcode: '',
      reply_message: reply,
      started_at: at(0)!,
      replied_at: at(story.replied),
      notified_at: at(story.notified),
      connected_at: at(story.connected),
      aparty_connected_at: at(story.apartyConnected),
      last_activity_at: at(0)!,
    })
    .execute();
  if (reply === null) return;
  const status = story.replyStatus ?? 'SENT';
  await db
    .insertInto('message_states')
    .values({ account_id: accountId, uuid: reply, chatapp_account: sender, status })
    .execute();
  if (story.read === undefined) return;
  // The second is a receipt that came twice.
  for (const carrier_at of [at(story.read), at(story.read + 999)]) {
    const data = { status: 'READ', carrier_at };
    await appendEvents(db, [{ accountId, subjectType: 'message', subject: reply, kind: 'message.read', data }]);
  }
}

const get = async (url: string, token = app.token) => {
  const { status, body } = await app.call('GET', url, undefined, { token });
  assert.equal(status, 200);
  return body;
};

const nothing = {
  clicks: 0,
  unique_clicks: 0,
  matched: 0,
  replied: 0,
  delivered: 0,
  read: 0,
  notified: 0,
  notify_failed: 0,
  bparty_contacted: 0,
  aparty_connected: 0,
  expired: 0,
  median_seconds: { start_to_reply: null, reply_to_read: null, start_to_notify: null, notify_to_contact: null },
};

/** Five people: one comes all the way, one reads, one is not answered, one gets a reply that fails, one expires. */
async function tellFive(intro: string): Promise<void> {
  for (const visitor of ['aa', 'aa', 'bb', 'cc', 'dd', 'ee']) await click(intro, 'INTRO', visitor);
  await click(intro, 'BPARTY', 'ff');
  await click(intro, 'APARTY', 'gg');
  await tell(intro, {
    status: 'CONNECTED',
    replied: 1,
    replyStatus: 'READ',
    read: 11,
    notified: 60,
    connected: 360,
    apartyConnected: 100,
  });
  await tell(intro, { status: 'NOTIFIED', replied: 2, replyStatus: 'READ', read: 22.5, notified: 90 });
  await tell(intro, { status: 'STARTED' });
  await tell(intro, { status: 'REPLIED', replied: 9, replyStatus: 'FAILED' });
  await tell(intro, { status: 'EXPIRED', replied: 4, replyStatus: 'DELIVERED', notified: 61 });
}
const five = {
  clicks: 6,
  unique_clicks: 5,
  matched: 5,
  replied: 4,
  delivered: 3,
  read: 2,
  notified: 3,
  notify_failed: 0,
  bparty_contacted: 1,
  aparty_connected: 1,
  expired: 1,
  median_seconds: { start_to_reply: 3, reply_to_read: 15.25, start_to_notify: 61, notify_to_contact: 300 },
};

describe('GET /v2/chatapp/chat-intros/{uuid}/funnel/', () => {
  it('counts each step of one intro, also of a deleted one, and takes the medians of the time between them', async () => {
    const [intro, other] = [await createIntro(), await createIntro()];
    await tellFive(intro);
    await click(other, 'INTRO', 'aa');
    assert.deepEqual(await get(`${intros}${intro}/funnel/`), five);
    assert.deepEqual(await get(`${intros}${other}/funnel/`), { ...nothing, clicks: 1, unique_clicks: 1 });
    await app.call('DELETE', `${intros}${intro}/`);
    assert.deepEqual(await get(`${intros}${intro}/funnel/`), five);
  });

  it('speaks of the clicks and sessions of a span of time', async () => {
    const intro = await createIntro();
    await tellFive(intro);
    const { rows } = await sql<{ now: string }>`select now()`.execute(app.deps.db);
    const now = rows[0]!.now;
    await tell(intro, { status: 'STARTED' });
    await click(intro, 'INTRO', 'zz');
    assert.deepEqual(await get(`${intros}${intro}/funnel/?created_before=${now}`), five);
    const later = { ...nothing, clicks: 1, unique_clicks: 1, matched: 1 };
    assert.deepEqual(await get(`${intros}${intro}/funnel/?created_after=${now}`), later);
    assert.deepEqual(await get(`${intros}${intro}/funnel/?created_after=2999-01-01T00:00:00Z`), nothing);
  });

  it('404 for an unknown intro and for one of another tenant', async () => {
    const intro = await createIntro();
    for (const [uuid, token] of [
      [newId(), app.token],
      [intro, app.otherToken],
    ] as const) {
      assert.equal((await app.call('GET', `${intros}${uuid}/funnel/`, undefined, { token })).status, 404);
    }
  });
});

describe('GET /v2/chatapp/chat-intros/funnel/', () => {
  let own: TestApp;
  before(async () => {
    own = app;
    app = await startTestApp();
  });
  after(async () => {
    await app.close();
    app = own;
  });

  it('adds up all intros, and groups them by a key of their meta_data', async () => {
    assert.deepEqual(await get(`${intros}funnel/`), { ...nothing, groups: [], more_groups: false });
    const [north, alsoNorth, seven, silent] = [
      await createIntro({ branch: 'North', deep: { er: 1 } }),
      await createIntro({ branch: 'North' }),
      await createIntro({ branch: 7 }),
      await createIntro(),
    ];
    await tellFive(north);
    await tell(alsoNorth, { status: 'REPLIED', replied: 5 });
    await click(seven, 'INTRO', 'aa');
    await click(silent, 'INTRO', 'aa');
    await click(silent, 'INTRO', 'aa');
    await tell(silent, { status: 'STARTED' });

    const { groups, more_groups, ...total } = await get(`${intros}funnel/?group_by=branch`);
    const medians = { ...five.median_seconds, start_to_reply: 4 };
    // One visitor of three intros counts three times.
    const expected = { ...five, clicks: 9, unique_clicks: 7, matched: 7, replied: 5, median_seconds: medians };
    assert.deepEqual(total, expected);
    assert.deepEqual(groups, [
      { group: 'North', ...five, matched: 6, replied: 5, median_seconds: medians },
      { group: null, ...nothing, clicks: 2, unique_clicks: 1, matched: 1 },
      { group: '7', ...nothing, clicks: 1, unique_clicks: 1 },
    ]);
    assert.equal(more_groups, false);
    assert.deepEqual(await get(`${intros}funnel/`), { ...expected, groups: [], more_groups: false });

    const values = async (key: string) =>
      (await get(`${intros}funnel/?group_by=${key}`)).groups.map(({ group }: { group: string }) => group);
    assert.deepEqual(await values('deep'), ['{"er":1}', null]);
    assert.deepEqual(await values(`'%3B--`), [null]);
    assert.deepEqual(await get(`${intros}funnel/?group_by=branch`, app.otherToken), {
      ...nothing,
      groups: [],
      more_groups: false,
    });
  });

  it('with chat_intros it is of these alone, one group for each that people came to', async () => {
    const [busy, quiet, other] = [await createIntro(), await createIntro(), await createIntro()];
    await tellFive(busy);
    await click(quiet, 'INTRO', 'aa');
    await tellFive(other);
    const ask = `${intros}funnel/?chat_intros=${busy},${quiet}&chat_intros=${newId()}`;
    const { groups, ...report } = await get(ask);
    const alone = await get(`${intros}${busy}/funnel/`);
    assert.deepEqual(groups, [
      { group: busy, ...alone },
      { group: quiet, ...nothing, clicks: 1, unique_clicks: 1 },
    ]);
    assert.deepEqual([report.clicks, report.matched, report.more_groups], [alone.clicks + 1, alone.matched, false]);
    assert.deepEqual((await get(ask, app.otherToken)).groups, []);
    const byKey = await get(`${intros}funnel/?chat_intros=${quiet}&group_by=agent`);
    assert.deepEqual([byKey.groups.length, byKey.groups[0].group, byKey.clicks], [1, null, 1]);
    const bad = await app.call('GET', `${intros}funnel/?chat_intros=x`);
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['chat_intros']]);
  });

  it('shows a thousand groups, the largest first, and says that there are more', async () => {
    const model = await createIntro();
    await sql`
      with made as (
        insert into chat_intros
        select (jsonb_populate_record(chat_intros, jsonb_build_object('uuid', uuidv7(), 'shortcode', number::text,
          'meta_data', json_build_object('agent', number)))).*
        from chat_intros, generate_series(1, 1001) as number where uuid = ${model}
        returning account_id, uuid
      )
      insert into events (account_id, uuid, subject_type, subject, kind, data)
      select account_id, uuidv7(), 'chat_intro', uuid, 'chat_intro.clicked', '{"link":"INTRO","visitor":"aa"}' from made`.execute(
      app.deps.db,
    );
    const { groups, more_groups } = await get(`${intros}funnel/?group_by=agent`);
    assert.deepEqual([groups.length, more_groups, groups[0].group], [1000, true, null]);
  });
});

it('clicks are counted by the index of their kind, those of one intro by its own', async () => {
  const { db } = app.deps;
  const intro = await createIntro();
  await sql`
    insert into events (account_id, uuid, subject_type, subject, kind, data)
    select ${app.accountId}, uuidv7(), subject_type, uuidv7(), kind, '{"link":"INTRO","visitor":"aa"}'
    from (values ('chat_intro', 'chat_intro.clicked', 500), ('message', 'message.sent', 20000)) as sort (subject_type, kind, many),
      generate_series(1, many)`.execute(db);
  await sql`analyze events`.execute(db);
  const conditions = async (query: FunnelQuery) => {
    const plan = await sql`explain (format json) ${funnelStatement(app.accountId, query, 0)}`.execute(db);
    return (
      JSON.stringify(plan.rows)
        .match(/"Index Cond":"[^"]*"/g)
        ?.join() ?? ''
    );
  };
  assert.match(await conditions({}), /kind = 'chat_intro.clicked'/);
  assert.match(await conditions({ chat_intro: intro }), new RegExp(`subject = '${intro}'`));
  const several = { chat_intros: [intro, newId()] };
  assert.match(await conditions(several), new RegExp(`subject = ANY \\('{${several.chat_intros.join()}}'`));
});

it('sessions whose clicks and messages are too old to be kept are not counted either', async () => {
  const intro = await createIntro();
  await click(intro, 'INTRO', 'aa');
  await tell(intro, { status: 'REPLIED', replied: 5 });
  const count = async () => {
    const { body } = await app.call('GET', `${intros}${intro}/funnel/`);
    return [body.clicks, body.matched, body.replied];
  };
  assert.deepEqual(await count(), [1, 1, 1]);
  await sql`update accounts set retention_days = -1 where uuid = ${app.accountId}`.execute(app.deps.db);
  assert.deepEqual(await count(), [0, 0, 0]);
  await sql`update accounts set retention_days = 365 where uuid = ${app.accountId}`.execute(app.deps.db);
});
