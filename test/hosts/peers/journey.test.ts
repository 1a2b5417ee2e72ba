// Three hosts, a primary with a synchronous standby, PgBouncer before each, and a file store: one host is killed, the primary is
// killed, and the store is away, while messages, SMS, a campaign, calls and files go their way. What arrived is asked of the chat
// platform and of the SMS centre, which stand outside.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { missingStore, startStore, type TestStore } from '../../kit/files/store.ts';
import { missingPgBouncer, type PgBouncer, startPgBouncer } from '../../kit/postgres/pgbouncer.ts';
import { type PostgresPair, startPostgresPair } from '../../kit/postgres/postgres-pair.ts';
import { until } from '../../kit/until.ts';
import { type Answer, type Client, forEach, makeClient } from '../client.ts';
import { type Hosts, hostsToken, makeHosts } from '../hosts.ts';
import { type Outside, startOutside } from '../outside.ts';

/** 20,000 take some minutes: `PARLEY_HOSTS_MESSAGES=20000 npm run test:peers -- test/hosts` */
const total = Number(process.env['PARLEY_HOSTS_MESSAGES'] ?? 2000);
const recipients = Math.ceil(total / 10);
const patienceMs = Math.max(1_800_000, total * 60);
const storeAwayMs = 10_000;
const sender = '+447700900001';
const smsSender = 'Parley';
const skip = missingPgBouncer || missingStore;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const greeting = path.join(import.meta.dirname, '..', '..', 'kit', 'speech', 'greeting.mp3');
/** One phone each, so that whoever gets something twice stands out. Other endings would steer the SMS centre. */
const phone = (kind: 'chat' | 'sms' | 'campaign', index: number): string =>
  `+44${{ chat: 1, sms: 2, campaign: 3 }[kind]}${String(index).padStart(5, '0')}1118`;

/** For how long nothing was accepted, at the longest, since each beginning. */
function watchPauses() {
  const longest: Record<string, number> = {};
  let now = 'undisturbed';
  let lastMs = performance.now();
  return {
    note() {
      longest[now] = Math.max(longest[now] ?? 0, Math.round(performance.now() - lastMs));
      lastMs = performance.now();
    },
    begin(what: string) {
      now = what;
    },
    longest: () => longest,
  };
}

describe('Three hosts', { skip, timeout: 2 * patienceMs }, () => {
  let directory: string;
  let pair: PostgresPair;
  let bouncers: PgBouncer[];
  let store: TestStore;
  let outside: Outside;
  let all: Hosts;
  let client: Client;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-journey-'));
    pair = await startPostgresPair();
    await pair.waitForStandby();
    bouncers = await Promise.all([pair.primary, pair.standby].map((server) => startPgBouncer(server, 30)));
    store = await startStore(path.join(directory, 'objects'));
    const [first, second] = bouncers.map(({ address }) => address);
    outside = await startOutside(sender, smsSender);
    const env = {
      DATABASE_URL: bouncers[0]!.url.replace(first!, `${first},${second}`),
      DATABASE_DIRECT_URL: pair.url,
      FILES_URL: store.url('hosts'),
      ...outside.env,
    };
    all = await makeHosts(['one', 'two', 'three'], env, { three: { PROCESSES: '2' } });
    client = makeClient(all.urls, hostsToken);
    await Promise.all(all.hosts.map((host) => host.start()));
  });
  after(async () => {
    await all?.stop();
    await outside?.stop();
    await Promise.all(bouncers?.map((bouncer) => bouncer.stop()) ?? []);
    await store?.stop();
    await pair?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('lose a member, their primary and their store: whatever was accepted arrives once, every file is everywhere', async (t) => {
    await prepare();
    const launch = await launchCampaign();
    const media = [await upload()];
    const prompts = [await uploadPrompt()];

    const accepted = new Map<string, string>();
    const pauses = watchPauses();
    const sending = forEach(total, 24, async (index) => {
      const { uuid, to } = await sendOne(index);
      pauses.note();
      assert.equal(accepted.get(uuid), undefined, 'an id is given once');
      accepted.set(uuid, to);
    });
    sending.catch(() => {});
    /** Also ends when sending fails. */
    const isAccepted = (part: number) =>
      Promise.race([until(`${part} is accepted`, () => accepted.size >= part * total, Boolean, patienceMs), sending]);

    await isAccepted(0.2);
    pauses.begin('host killed');
    const [, two] = all.hosts;
    await two!.kill();
    await isAccepted(0.3);
    await two!.start();

    await isAccepted(0.45);
    const calls = [await startCall()];
    pauses.begin('primary killed');
    await pair.failOver();

    await isAccepted(0.7);
    calls.push(await startCall());
    pauses.begin('store away');
    await store.stop();
    const away = sleep(storeAwayMs);
    const uploading = upload();
    const exporting = startExport();
    for (const uuid of calls) await hangUp(uuid);
    await away;
    store = await startStore(path.join(directory, 'objects'), store.port);
    await sending;
    media.push(await uploading, await upload());
    prompts.push(await uploadPrompt());
    const exports = [await exporting, await startExport()];
    t.diagnostic(`longest without an accepted message, in ms: ${JSON.stringify(pauses.longest())}`);
    t.diagnostic(`tried again: ${JSON.stringify([...client.retried])}`);

    assert.equal(accepted.size, total);
    await assertAllArrived(t, accepted);
    const log = await client.send('GET', `/v2/campaign-logs/${launch}/`);
    assert.deepEqual([log.audience, log.read + log.queued], [recipients, recipients]);
    await assertFiles({ media, prompts, exports, calls });
  });

  async function prepare(): Promise<void> {
    await client.send('POST', '/v2/number/', {
      number: '+442079460101',
      target_number: '+447700909050',
      features: ['RECORD_CALL'],
    });
    // Afterwards, as the pool of the sandbox is closed to who has senders of other carriers.
    await outside.connect(client, all.urls[0]!);
  }

  async function launchCampaign(): Promise<string> {
    const list = await client.send('POST', '/v2/lists/', { name: 'Everybody' });
    for (let from = 0; from < recipients; from += 1000) {
      const phone_numbers = Array.from({ length: Math.min(1000, recipients - from) }, (_, index) =>
        phone('campaign', from + index),
      );
      await client.send('POST', `/v2/lists/${list.uuid}/contacts/`, { phone_numbers });
    }
    const template = { template_name: 'offer' };
    const what = { name: 'Offer', channel: 'CHATAPP', sender, lists: [list.uuid], template };
    const campaign = await client.send('POST', '/v2/campaigns/', {
      ...what,
      rate_per_second: Math.ceil(recipients / 20),
    });
    return (await client.send('POST', `/v2/campaigns/${campaign.uuid}/launch/`, {})).uuid;
  }

  /** Every third is an SMS. */
  async function sendOne(index: number): Promise<{ uuid: string; to: string }> {
    const key = `message ${index}`;
    if (index % 3 === 0) {
      const to = phone('sms', index);
      const body = { from: smsSender, to, text: `Number ${index}` };
      return { uuid: (await client.send('POST', '/v2/send-sms/', body, key)).uuid, to };
    }
    const to = phone('chat', index);
    const body = {
      chatapp_number: sender,
      to_chatapp_number: to,
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    };
    return { uuid: (await client.send('POST', '/v2/chatapp/messages/', body, key)).uuid, to };
  }

  async function upload(): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png');
    return (await client.send('POST', '/v2/chatapp/template-media/', form)).uuid;
  }

  async function uploadPrompt(): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([await readFile(greeting)], { type: 'audio/mpeg' }), 'greeting.mp3');
    return (await client.send('POST', '/v2/audio-files/', form)).uuid;
  }

  const startExport = async (): Promise<string> =>
    (await client.send('POST', '/v3/jobs/', { type: 'contacts.export', input: {} }, `export ${Math.random()}`)).id;

  /** One that is recorded, once both talk. */
  async function startCall(): Promise<string> {
    const { uuid } = await client.send('POST', '/v2/sandbox/calls/', { from: '+447700900123', to: '+442079460101' });
    await until(
      'both talk',
      () => client.send('GET', `/v2/voice/calls/${uuid}/`),
      ({ status }) => status === 'IN_PROGRESS',
    );
    return uuid;
  }

  /** The people of the sandbox do so after 20 seconds by themselves. */
  async function hangUp(uuid: string): Promise<void> {
    await client.send('POST', `/v2/voice/calls/${uuid}/hangup/`, {}, undefined, 'call_ended');
  }

  /**
   * At the receiving side. What was being handed over by the host that was killed has arrived, and its receipt says so, or nobody can
   * know, which is marked; and it never leaves again.
   */
  async function assertAllArrived(t: TestContext, accepted: Map<string, string>): Promise<void> {
    const sms = Math.ceil(total / 3);
    const chat = total - sms + recipients;
    const { ledger, taken } = await until(
      'what arrived is known, and what did not is marked',
      async () => {
        await outside.told();
        const ledger = await client.send('GET', '/v2/account/ledger/');
        return { ledger, taken: outside.taken() };
      },
      ({ ledger, taken }) =>
        ledger.accepted === chat &&
        ledger.final.read === taken.chat.length &&
        ledger.sms.final.delivered === taken.sms.length,
      patienceMs,
    );
    t.diagnostic(JSON.stringify(ledger));
    assert.deepEqual(
      [ledger.accepted, ledger.unaccounted, ledger.sms.accepted, ledger.sms.unaccounted],
      [chat, 0, sms, 0],
    );
    const doubtful = await listQueued();
    t.diagnostic(`nobody can know of ${doubtful.length}`);
    for (const { status_description } of doubtful) assert.match(status_description, /It waits for its receipt\.$/);
    const phones = [...taken.chat, ...taken.sms, ...doubtful.map(({ to }) => to)];
    const wanted = [...accepted.values(), ...Array.from({ length: recipients }, (_, n) => phone('campaign', n))];
    assert.deepEqual(phones.toSorted(), wanted.toSorted(), 'everybody once');
  }

  async function listQueued(): Promise<{ to: string; status_description: string }[]> {
    return pair.standby.query(`
      select to_chatapp_number as to, state.status_description
      from messages join message_states as state using (account_id, uuid) where state.status = 'QUEUED'
      union all
      select to_number, state.status_description
      from sms join sms_states as state using (account_id, uuid) where state.status = 'QUEUED'`);
  }

  async function assertFiles({
    media,
    prompts,
    exports,
    calls,
  }: Record<'media' | 'prompts' | 'exports' | 'calls', string[]>): Promise<void> {
    for (const id of exports) {
      await until(
        'the export is made',
        () => client.send('GET', `/v3/jobs/${id}/`),
        ({ status }) => status === 'SUCCEEDED',
      );
    }
    for (const uuid of calls) {
      await until(
        'the call is over and its recording kept',
        () => client.send('GET', `/v2/voice/calls/${uuid}/`),
        ({ status, recording_seconds }) => status === 'ENDED' && recording_seconds !== null,
      );
    }
    const places = [
      ...media.map((uuid) => `/v2/chatapp/template-media/${uuid}/content/`),
      ...prompts.map((uuid) => `/v2/audio-files/${uuid}/content/`),
      ...exports.map((id) => `/v3/jobs/${id}/file/`),
      ...calls.map((uuid) => `/v2/voice/calls/${uuid}/recording/`),
    ];
    for (const place of places) {
      // What waited for the store is there within seconds; the S3 server shows it while it still comes in.
      const isThere = (read: Answer[]) =>
        read.every(({ status, body }) => status === 200 && body.length > 0 && body.equals(read[0]!.body));
      const look = () => Promise.all(all.hosts.map((_, host) => client.ask(host, 'GET', place)));
      await until(`${place} is the same at every host`, look, isThere);
    }
  }
});
