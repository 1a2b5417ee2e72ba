import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { giveEverything, person, spellings } from './stage.ts';

const addressOf = (number: string, more = '') => `/v2/people/${encodeURIComponent(number)}/${more}`;

describe('GET /v2/people/{number}/', () => {
  let app: TestApp;
  let call: string;
  before(async () => {
    app = await startTestApp();
    ({ call } = await giveEverything(app, app.accountId, app.token));
  });
  after(() => app.close());

  it('tells how much there is of each kind, and the newest, in every notation of the number', async () => {
    for (const spelling of spellings) {
      const { status, body } = await app.call('GET', addressOf(spelling));
      assert.equal(status, 200, spelling);
      assert.equal(body.number, person);
      const { contacts, opt_outs, conversations, sms, calls, recordings, voicemails, sessions, leads } = body.counts;
      assert.deepEqual(
        { contacts, opt_outs, conversations, sms, calls, recordings, voicemails, sessions, leads },
        {
          contacts: 1,
          opt_outs: 1,
          conversations: 1,
          sms: 1,
          calls: 1,
          recordings: 1,
          voicemails: 0,
          sessions: 1,
          leads: 2,
        },
      );
      assert.ok(body.counts.messages >= 2 && body.counts.intro_events >= 1);
      assert.deepEqual(new Set(body.names), new Set(['Ana', 'Ana of the chat', 'Ana of the lead']));
      assert.equal(body.newest.sms[0].text, 'Your code is 1234');
      assert.equal(body.newest.recordings[0].uuid, call);
      assert.deepEqual(body.erasures, []);
    }
  });

  it('knows nothing of somebody unknown, nor of what another account knows; 404 for what is no number', async () => {
    const stranger = (await app.call('GET', addressOf('+447700900999'))).body;
    assert.ok(Object.values(stranger.counts).every((count) => count === 0));
    const other = (await app.call('GET', addressOf(person), undefined, { token: app.otherToken })).body;
    assert.ok(Object.values(other.counts).every((count) => count === 0));
    assert.equal((await app.call('GET', addressOf('nobody'))).status, 404);
  });

  it('…/export/ is a file with all of it, a line of JSON each', async () => {
    const { body: known } = await app.call('GET', addressOf(person));
    const { status, headers, body } = await app.call('GET', addressOf('07700 900123', 'export/'));
    assert.equal(status, 200);
    assert.match(String(headers['content-disposition']), /attachment; filename="person-447700900123\.jsonl"/);
    const lines = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const kinds = Map.groupBy(lines, ({ kind }) => kind);
    assert.equal(kinds.get('person')![0].number, person);
    for (const [kind, count] of Object.entries(known.counts)) {
      if (['recordings', 'voicemails'].includes(kind)) continue;
      assert.equal(kinds.get(kind)?.length ?? 0, count, kind);
    }
    assert.equal(kinds.get('contacts')![0].attributes.town, 'Bath');
  });

  it('an export of more rows than are read at once has each once', async () => {
    const { db } = app.deps;
    const number = '+447700900555';
    for (let at = 0; at < 3; at++) {
      const to = Array.from({ length: 150 }, () => number);
      const { status } = await app.call('POST', '/v3/jobs/', {
        type: 'sms.send',
        input: { from: 'Parley', to, text: `${at}` },
      });
      assert.equal(status, 202);
    }
    const count = async () =>
      (await db.selectFrom('sms').select('uuid').where('to_digits', '=', number.slice(1)).execute()).length;
    await until(async () => (await count()) === 450);
    const { body } = await app.call('GET', addressOf(number, 'export/'));
    const uuids = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'sms');
    assert.equal(new Set(uuids.map(({ uuid }) => uuid)).size, 450);
    assert.equal(uuids.length, 450);
  });

  it('403 for a token without the scope', async () => {
    const scopes = ['chatapp:read'];
    const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'Chats', scopes })).body;
    for (const more of ['', 'export/']) {
      assert.equal((await app.call('GET', addressOf(person, more), undefined, { token })).status, 403);
    }
  });
});
