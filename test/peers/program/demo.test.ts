// The demo fills a real server through its API, and leaves nothing empty: whoever looks sees every state there is.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Api, type Json, makeApi } from '../../../scripts/demo/api.ts';
import { seed } from '../../../scripts/demo/seed.ts';
import { type Receiver, startReceiver } from '../../../scripts/demo/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'demo-test-token';

describe('the demo', { timeout: 1_800_000 }, () => {
  let parent: string;
  let database: TestDatabase;
  let parley: Parley;
  let receiver: Receiver;
  let url: string;
  let api: Api;
  before(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley demo '));
    database = await createTestDatabase();
    const { host, port, user, password, database: name } = database.connection;
    parley = startParley(path.join(parent, 'data'), {
      DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`,
      BOOTSTRAP_TOKEN: token,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    url = await parley.ready();
    api = makeApi(url, token);
    receiver = await startReceiver();
    await seed({ url, token, receiver, scale: 'small' });
  });
  after(async () => {
    receiver?.close();
    parley.signal('SIGTERM');
    await parley.ended;
    await database.drop();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const all = async (list: string): Promise<Json[]> => {
    const found: Json[] = [];
    let next: string | null = `${list}${list.includes('?') ? '&' : '?'}page_size=200`;
    while (next !== null) {
      const page: Json = await api.get(next.replace(url, ''));
      found.push(...page.results);
      next = page.next;
    }
    return found;
  };
  /** The values of a field that occur in a list, in order. */
  const kinds = async (list: string, field: string): Promise<string[]> =>
    [...new Set((await all(list)).map((item) => String(item[field])))].sort();
  const assertAll = (found: string[], wanted: string[]) =>
    assert.deepEqual(
      wanted.filter((kind) => !found.includes(kind)),
      [],
      `missing; there are ${found.join(', ')}`,
    );

  it('chat-app messages of every kind have every status', async () => {
    const statuses = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED'];
    assertAll(await kinds('/v2/chatapp/messages/', 'status'), statuses);
    const types = ['TEXT', 'IMAGE', 'DOCUMENT', 'LOCATION', 'CONTACTS', 'INTERACTIVE', 'TEMPLATE', 'REACTION'];
    assertAll(await kinds('/v2/chatapp/messages/', 'type'), types);
  });

  it('SMS have every status and both encodings', async () => {
    const statuses = ['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'];
    assertAll(await kinds('/v2/sms-records/', 'status'), statuses);
    assertAll(await kinds('/v2/sms-records/', 'encoding'), ['GSM7', 'UCS2']);
    assert.ok((await all('/v2/sms-records/')).some(({ segments }) => segments > 2));
  });

  it('calls have every result, and there are recordings and voicemails', async () => {
    const results = ['ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED'];
    assertAll(await kinds('/v2/cdr/', 'result'), results);
    const records = await all('/v2/cdr/');
    assert.ok(records.some(({ recording_url, voicemail }) => recording_url !== null && !voicemail));
    assert.ok(records.some(({ route }) => route !== ''));
  });

  it('intros meet people who come every distance', async () => {
    const intros = await all('/v2/chatapp/chat-intros/');
    const types = ['TEXT', 'IMAGE', 'LIST', 'CTA', 'FLOW', 'QUICK_REPLY'];
    assertAll(
      intros.map(({ reply_type }) => reply_type),
      types,
    );
    const sessions = await Promise.all(
      intros.map(({ uuid }) => kinds(`/v2/chatapp/chat-intros/${uuid}/sessions/`, 'status')),
    );
    assertAll(sessions.flat(), ['STARTED', 'REPLIED', 'NOTIFIED', 'CONNECTED', 'EXPIRED']);
    const { clicks, unique_clicks, matched } = await api.get('/v2/chatapp/chat-intros/funnel/');
    assert.ok(clicks > matched && unique_clicks > 1, JSON.stringify({ clicks, unique_clicks, matched }));
  });

  it('templates, flows and jobs end well and badly', async () => {
    // The sandbox reviews what is submitted a little later.
    const reviewed = await until(
      () => kinds('/v2/chatapp/message-templates/', 'status'),
      (statuses) => !statuses.includes('PENDING'),
    );
    assertAll(reviewed, ['APPROVED', 'REJECTED']);
    assertAll(await kinds('/v2/chatapp/flows/', 'status'), ['DRAFT', 'PUBLISHED']);
    assertAll(await kinds('/v3/jobs/', 'status'), ['SUCCEEDED', 'FAILED']);
  });

  it('campaigns are finished, running, scheduled, and not launched', async () => {
    assertAll(await kinds('/v2/campaign-logs/', 'status'), ['COMPLETED', 'RUNNING', 'SCHEDULED']);
    assert.equal((await all('/v2/campaigns/')).length, 4);
    const logs = await all('/v2/campaign-logs/');
    const done = logs.find(({ status }) => status === 'COMPLETED');
    for (const count of ['read', 'failed', 'opted_out'])
      assert.ok(done[count] > 0, `${count} in ${JSON.stringify(done)}`);
  });

  it('webhooks are delivered, and one fails', async () => {
    const deliveries = await all('/v2/webhook-deliveries/');
    assert.ok(deliveries.some(({ status }) => status === 'SUCCEEDED'));
    assert.ok(deliveries.some(({ last_status_code }) => last_status_code === 500));
  });

  it('no other list is empty', async () => {
    const lists = [
      'chatapp/accounts',
      'chatapp/template-media',
      'chatapp/leads',
      'number',
      'audio-files',
      'number/webhooks',
    ];
    const others = [
      'contacts',
      'lists',
      'opt-outs',
      'opt-out-events',
      'agent-configs',
      'routing-configs',
      'sms-senders',
    ];
    for (const list of [...lists, ...others]) assert.notEqual((await api.get(`/v2/${list}/`)).count, 0, list);
    assertAll(await kinds('/v2/routing-configs/', 'channel'), ['VOICE', 'SMS', 'CHATAPP']);
    assert.ok((await kinds('/v2/opt-outs/', 'source')).length > 1);
  });

  it('nothing is lost, and a second run changes nothing', async () => {
    const before = await api.get('/v2/contacts/');
    const told: string[] = [];
    await seed({ url, token, receiver, scale: 'small', tell: (line) => told.push(line) });
    assert.deepEqual(told, ['Orchard & Vale is here already.']);
    assert.equal((await api.get('/v2/contacts/')).count, before.count);
    const { unaccounted, sms } = await api.get('/v2/account/ledger/');
    assert.deepEqual([unaccounted, sms.unaccounted], [0, 0]);
  });
});
