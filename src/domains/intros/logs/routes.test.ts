import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import { appendEvents } from '../../timeline/index.ts';
import { logs, statusLogs } from './queries.ts';

const intros = '/v2/chatapp/chat-intros/';
const allLogs = '/v2/chatapp/chat-intro-logs/';
const allStatusLogs = '/v2/chatapp/chat-intro-status-logs/';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const createIntro = async (): Promise<string> =>
  (await app.call('POST', intros, { chatapp_number: '+442079460011' })).body.uuid;
const happen = (intro: string, kind: string, data: Record<string, unknown> = {}) =>
  appendEvents(app.deps.db, [
    { accountId: app.accountId, subjectType: 'chat_intro', subject: intro, kind: `chat_intro.${kind}`, data },
  ]);
const get = async (url: string, token = app.token) => (await app.call('GET', url, undefined, { token })).body;
const eventsAt = async (url: string, token?: string): Promise<string[]> =>
  (await get(url, token)).results.map((log: { event: string }) => log.event.replace('chat_intro.', ''));
const statusesAt = async (url: string): Promise<string[]> =>
  (await get(url)).results.map((log: { status: string }) => log.status);

/** A visitor becomes a lead; A is connected, and expires, in the same breath. */
async function tellStory(aparty_number: string) {
  const intro = await createIntro();
  const session = newId();
  const digits = aparty_number.replace('+', '');
  const of = { session, aparty_number, digits };
  await happen(intro, 'clicked', { link: 'INTRO', session: null, visitor: '00112233aabbccdd' });
  await happen(intro, 'started', { ...of, how: 'REFERENCE', message: newId(), tied: false, status: 'STARTED' });
  await happen(intro, 'replied', { ...of, message: newId(), alternative: false, missing: [], status: 'REPLIED' });
  await happen(intro, 'connected', { ...of, by: 'APARTY' });
  await happen(intro, 'connected', { ...of, by: 'BPARTY', status: 'CONNECTED' });
  return { intro, session };
}

describe('the logs of chat intros', () => {
  it('tell the story of one intro, newest first, also after its end; of all; and of the states alone', async () => {
    const { intro, session } = await tellStory('+447700900401');
    assert.equal((await app.call('DELETE', `${intros}${intro}/`)).status, 204);
    const story = ['created', 'clicked', 'started', 'replied', 'connected', 'connected', 'deleted'];
    assert.deepEqual(await eventsAt(`${intros}${intro}/logs/`), story.toReversed());
    assert.deepEqual(await eventsAt(`${intros}${intro}/logs/?ordering=created`), story);
    assert.deepEqual(await eventsAt(`${allLogs}?chat_intro=${intro}&ordering=created`), story);
    const states = await get(`${allStatusLogs}?chat_intro=${intro}&ordering=created`);
    assert.deepEqual(
      states.results.map((log: { status: string }) => log.status),
      ['STARTED', 'REPLIED', 'CONNECTED'],
    );
    const { uuid, created, ...first } = states.results[0];
    assert.deepEqual(first, { chat_intro: intro, session, aparty_number: '+447700900401', status: 'STARTED' });
  });

  it('show what is known of a step, and who it was about', async () => {
    const { intro, session } = await tellStory('+447700900402');
    const [clicked, started] = (await get(`${intros}${intro}/logs/?ordering=created`)).results.slice(1);
    assert.deepEqual([clicked.session, clicked.aparty_number, clicked.data.link], [null, null, 'INTRO']);
    assert.deepEqual(Object.keys(started), [
      'uuid',
      'chat_intro',
      'session',
      'event',
      'aparty_number',
      'data',
      'created',
    ]);
    assert.deepEqual([started.session, started.aparty_number], [session, '+447700900402']);
    assert.equal(started.data.how, 'REFERENCE');
    assert.match(started.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('are found by session, event, person, state and time', async () => {
    const { intro, session } = await tellStory('+447700900403');
    const of = `chat_intro=${intro}`;
    assert.deepEqual(await eventsAt(`${allLogs}?session=${session.toUpperCase()}&event=chat_intro.replied`), [
      'replied',
    ]);
    assert.equal((await eventsAt(`${allLogs}?aparty_number=(44)7700-900403`)).length, 4);
    assert.deepEqual(await eventsAt(`${allLogs}?aparty_number=%2B447700900499`), []);
    assert.deepEqual(await eventsAt(`${intros}${intro}/logs/?event=chat_intro.clicked`), ['clicked']);
    assert.deepEqual(await statusesAt(`${allStatusLogs}?session=${session}&status=CONNECTED`), ['CONNECTED']);
    assert.deepEqual(await statusesAt(`${allStatusLogs}?${of}&status=EXPIRED`), []);
    const { created } = (await get(`${allLogs}?${of}&event=chat_intro.started`)).results[0];
    assert.deepEqual(await eventsAt(`${allLogs}?${of}&created_before=${created}&ordering=created`), [
      'created',
      'clicked',
    ]);
    assert.equal((await eventsAt(`${allLogs}?${of}&created_after=${created}`)).length, 4);
    // Before ids began.
    assert.equal((await eventsAt(`${allLogs}?${of}&created_after=1969-07-20T20:17:00Z`)).length, 6);
    assert.deepEqual(await eventsAt(`${allLogs}?${of}&created_before=1969-07-20T20:17:00Z`), []);
  });

  it('are read page by page', async () => {
    const { intro } = await tellStory('+447700900404');
    const first = await get(`${intros}${intro}/logs/?page_size=4`);
    assert.deepEqual([first.count, first.results.length, first.previous], [6, 4, null]);
    const { pathname, search } = new URL(first.next);
    assert.deepEqual(await eventsAt(pathname + search), ['clicked', 'created']);
  });

  it('are nobody else’s; 404 for an unknown intro, 400 for an unknown event or state', async () => {
    const { intro, session } = await tellStory('+447700900405');
    for (const headers of [{ accept: 'application/json' }, { accept: 'text/csv' }]) {
      const options = { token: app.otherToken, headers };
      assert.equal((await app.call('GET', `${intros}${intro}/logs/`, undefined, options)).status, 404);
      assert.equal((await app.call('GET', `${intros}${newId()}/logs/`, undefined, { headers })).status, 404);
    }
    assert.deepEqual(await eventsAt(`${allLogs}?session=${session}`, app.otherToken), []);
    for (const [url, field] of [
      [`${allLogs}?event=clicked`, 'event'],
      [`${allStatusLogs}?status=GONE`, 'status'],
      [`${allStatusLogs}?session=1`, 'session'],
      [`${allStatusLogs}?aparty_number=mum`, 'aparty_number'],
    ] as const) {
      const { status, body } = await app.call('GET', url);
      assert.deepEqual([status, Object.keys(body)], [400, [field]]);
    }
  });
});

describe('the logs of chat intros as CSV', () => {
  const asCsv = async (url: string) => {
    const { status, headers, body } = await app.call('GET', url, undefined, { headers: { accept: 'text/csv' } });
    assert.deepEqual([status, String(headers['content-type']).split(';')[0]], [200, 'text/csv']);
    return body as string;
  };

  it('hold the rows of the filter, with what strangers wrote made harmless', async () => {
    const intro = await createIntro();
    const session = newId();
    await happen(intro, 'answered', { session, aparty_number: '+447700900406', answers: { name: '=1+1, "x"' } });
    await happen(intro, 'problem', { session, aparty_number: '=cmd|calc', step: 'reply' });
    const [header, problem, answered, end] = (await asCsv(`${allLogs}?session=${session}`)).split('\r\n');
    assert.equal(header, 'uuid,chat_intro,session,event,aparty_number,data,created');
    assert.match(problem!, new RegExp(`,${intro},${session},chat_intro\\.problem,'=cmd\\|calc,`));
    assert.match(answered!, /,\+447700900406,"\{.*""answers"":\{""name"":""=1\+1, \\""x\\""""\}\}",2/);
    assert.equal(end, '');
    assert.equal(
      (await asCsv(`${allStatusLogs}?session=${newId()}`)).trimEnd(),
      'uuid,chat_intro,session,aparty_number,status,created',
    );
  });

  it('hold all rows, each once and in order, however small the page', async () => {
    const intro = await createIntro();
    const rows = 20_000;
    await sql`
      insert into events (account_id, uuid, subject_type, subject, kind, data)
      select ${app.accountId}, uuidv7(), 'chat_intro', ${intro}, 'chat_intro.started',
        json_build_object('session', uuidv7(), 'aparty_number', '+' || number, 'digits', number::text, 'status', 'STARTED')
      from generate_series(1, ${rows}::int) as number`.execute(app.deps.db);
    for (const url of [`${intros}${intro}/logs/?event=chat_intro.started&`, `${allStatusLogs}?chat_intro=${intro}&`]) {
      const lines = (await asCsv(`${url}ordering=created&page_size=5`)).split('\r\n').slice(1, -1);
      assert.equal(lines.length, rows);
      const ids = lines.map((line) => line.slice(0, 36));
      assert.equal(new Set(ids).size, rows);
      assert.deepEqual(ids, ids.toSorted());
    }
    const newest = (await asCsv(`${intros}${intro}/logs/`)).split('\r\n').slice(1, -1);
    const ids = newest.map((line) => line.slice(0, 36));
    assert.deepEqual([ids.length, ids], [rows + 1, ids.toSorted().toReversed()]);
  });
});

it('every filter of the logs is answered by an index', async () => {
  const { db, accountId } = { db: app.deps.db, accountId: app.accountId };
  await sql`analyze events`.execute(db);
  const page = { page_size: 25, ordering: '-created' } as const;
  const session = newId();
  const conditions = async (rows: ReturnType<typeof logs>) => {
    const plan = await rows.orderBy('uuid', 'desc').limit(26).explain('json');
    return (
      JSON.stringify(plan)
        .match(/"Index Cond":"[^"]*"/g)
        ?.join() ?? ''
    );
  };
  const aparty_number = '+12345';
  assert.match(await conditions(logs(db, accountId, { ...page, session })), /data ->> 'session'/);
  assert.match(await conditions(logs(db, accountId, { ...page, aparty_number })), /data ->> 'digits'/);
  assert.match(await conditions(logs(db, accountId, { ...page, chat_intro: session })), /subject = /);
  assert.match(await conditions(logs(db, accountId, { ...page, event: 'chat_intro.expired' })), /kind = /);
  assert.match(await conditions(statusLogs(db, accountId, { ...page, status: 'EXPIRED' })), /kind = /);
});
