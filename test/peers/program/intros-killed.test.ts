// A chat intro whose server dies after every step: the story ends the same, and nobody hears anything twice.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'killed-intro-token';
const [business, a, b] = ['+447700900001', '+447711200001', '+447711300001'];
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted below
type Any = any;

describe('a chat intro on a server that is killed after each step', linuxOnly, () => {
  let parent = '';
  let database: TestDatabase | undefined;
  let parley: Parley | undefined;
  let url = '';
  const dataDir = () => path.join(parent, 'data');
  after(async () => {
    if (parley) await killTree(parley.pid, dataDir());
    await database?.drop();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (): Promise<void> => {
    database ??= await createTestDatabase();
    parley = startParley(dataDir(), { DATABASE_URL: database.url, BOOTSTRAP_TOKEN: token });
    url = await parley.ready();
  };
  /** At once, or a moment later: in the middle of what the step has set in motion. */
  const dies = async (): Promise<void> => {
    await sleep(randomInt(0, 400));
    parley!.signal('SIGKILL');
    await parley!.ended;
    await start();
  };
  const call = async (method: string, place: string, body?: object): Promise<Any> => {
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + place, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.ok(answer.ok, `${method} ${place} answered ${answer.status}`);
    return answer.json();
  };
  const phone = async (number: string): Promise<Any[]> =>
    (await call('GET', `/v2/sandbox/phones/${encodeURIComponent(number)}/`)).results;
  const shows = (number: string, count: number) =>
    until(`${number} shows ${count} messages`, async () => (await phone(number)).length >= count);
  const opens = (link: string) =>
    fetch(url + link.slice(link.indexOf('/l/')), {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari' },
    });

  it('ends with both people talking, each message once', async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley-intro-'));
    await start();
    const intro = await call('POST', '/v2/chatapp/chat-intros/', {
      chatapp_number: business,
      reference_id: 'KILLED',
      reply_message_template: 'Hello {{APartyDataContactName}}',
      intro_message_template: 'Hi',
      notify_type: 'CHATAPP',
      notify_to_phone_number: b,
      notify_chatapp_template_name: 'new_lead',
      notify_delay: 3600,
    });
    await dies();
    assert.equal((await opens(intro.chat_link)).status, 302);
    await dies();
    const from = { from: a, to: business, name: 'Ana' };
    await call('POST', '/v2/sandbox/chatapp/messages/', { ...from, text: { body: 'about KILLED' } });
    await dies();
    await shows(a, 2);
    await dies();
    await call('POST', '/v2/sandbox/clock/', { advance_seconds: 3601 });
    await dies();
    await shows(b, 1);
    const sessions = async () => (await call('GET', `/v2/chatapp/chat-intros/${intro.uuid}/sessions/`)).results;
    await until('B is notified', async () => (await sessions())[0]?.status === 'NOTIFIED');
    await dies();
    const [session] = await sessions();
    assert.equal((await opens(session.intro_chat_link)).status, 302);
    await dies();

    assert.equal((await sessions())[0].status, 'CONNECTED');
    const ledger = await until('everything was read', async () => {
      const now = await call('GET', '/v2/account/ledger/');
      return now.final.read === now.accepted ? now : undefined;
    });
    assert.deepEqual([ledger.accepted, ledger.unaccounted], [2, 0]);
    assert.deepEqual(
      (await phone(a)).map(({ text }) => text),
      ['about KILLED', 'Hello Ana'],
    );
    assert.equal((await phone(b)).length, 1);
    const logs = (await call('GET', `/v2/chatapp/chat-intros/${intro.uuid}/logs/?page_size=100`)).results;
    const once = ['started', 'replied', 'notified', 'connected'].map((step) => `chat_intro.${step}`);
    for (const kind of once) assert.equal(logs.filter(({ event }: Any) => event === kind).length, 1, kind);
  });
});
