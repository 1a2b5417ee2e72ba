// Three hosts, a primary with a synchronous standby, PgBouncer before each, and a file store: one host is killed, the primary is
// killed, and the store is away, while messages, a campaign, calls and files go their way.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** 20,000 take some minutes: `PARLEY_HOSTS_MESSAGES=20000 npm run test:peers -- test/hosts` */
const total = Number(process.env['PARLEY_HOSTS_MESSAGES'] ?? 2000);
const recipients = Math.ceil(total / 10);
const patienceMs = Math.max(1_800_000, total * 60);
const storeAwayMs = 10_000;
const senders = 4;
const sender = '+447700900001';
const skip = missingPgBouncer || missingStore;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** One phone each, so that whoever gets something twice stands out. Other endings would steer the sandbox. */
const phone = (kind: 'chat' | 'sms' | 'campaign', index: number): string =>
  `+44${{ chat: 1, sms: 2, campaign: 3 }[kind]}${String(index).padStart(5, '0')}1111`;

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
  let all: Hosts;
  let client: Client;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-journey-'));
    pair = await startPostgresPair();
    await pair.waitForStandby();
    bouncers = await Promise.all([pair.primary, pair.standby].map((server) => startPgBouncer(server, 30)));
    store = await startStore(path.join(directory, 'objects'));
    const [first, second] = bouncers.map(({ address }) => address);
    all = await makeHosts(['one', 'two', 'three'], {
      DATABASE_URL: bouncers[0]!.url.replace(first!, `${first},${second}`),
      DATABASE_DIRECT_URL: pair.url,
      FILES_URL: store.url('hosts'),
    });
    client = makeClient(all.urls, hostsToken);
    await Promise.all(all.hosts.map((host) => host.start()));
  });
  after(async () => {
    await all?.stop();
    await Promise.all(bouncers?.map((bouncer) => bouncer.stop()) ?? []);
    await store?.stop();
    await pair?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('lose a member, their primary and their store: whatever was accepted arrives once, every file is everywhere', async (t) => {
    await prepare();
    const launch = await launchCampaign();
    const media = [await upload()];

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
    const exports = [await exporting, await startExport()];
    t.diagnostic(`longest without an accepted message, in ms: ${JSON.stringify(pauses.longest())}`);
    t.diagnostic(`tried again: ${JSON.stringify([...client.retried])}`);

    assert.equal(accepted.size, total);
    await assertLaunchIsOver(launch);
    await assertLedgers(t);
    await assertEachOnce(accepted, launch);
    await assertFiles({ media, exports, calls });
  });

  async function prepare(): Promise<void> {
    for (let n = 0; n < senders; n++) {
      const chatapp_number = `${sender.slice(0, -1)}${n}`;
      await client.send('POST', '/v2/chatapp/accounts/', { chatapp_number, messages_per_second: 5000 });
    }
    await client.send('POST', '/v2/sms-links/', { name: 'Sandbox', carrier: 'sandbox', messages_per_second: 5000 });
    await client.send('POST', '/v2/number/', {
      number: '+442079460101',
      target_number: '+447700909050',
      features: ['RECORD_CALL'],
    });
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
      const body = { from: '+447700900900', to, text: `Number ${index}` };
      return { uuid: (await client.send('POST', '/v2/send-sms/', body, key)).uuid, to };
    }
    const to = phone('chat', index);
    const body = {
      chatapp_number: `${sender.slice(0, -1)}${index % senders}`,
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

  const assertLaunchIsOver = async (launch: string): Promise<void> => {
    const log = await until(
      'the launch is over',
      () => client.send('GET', `/v2/campaign-logs/${launch}/`),
      ({ status, read }) => status === 'COMPLETED' && read === recipients,
      patienceMs,
    );
    assert.equal(log.audience, recipients);
  };

  async function assertLedgers(t: TestContext): Promise<void> {
    const chat = total - Math.ceil(total / 3) + recipients;
    const sms = Math.ceil(total / 3);
    const ledger = await until(
      'everything is final',
      () => client.send('GET', '/v2/account/ledger/'),
      ({ final, sms: other }) => final.read === chat && other.final.delivered === sms,
      patienceMs,
    );
    t.diagnostic(JSON.stringify(ledger));
    assert.deepEqual(
      [ledger.accepted, ledger.unaccounted, ledger.sms.accepted, ledger.sms.unaccounted],
      [chat, 0, sms, 0],
    );
  }

  /** At the receiving side: what the sandbox's phones were handed. */
  async function assertEachOnce(accepted: Map<string, string>, launch: string): Promise<void> {
    const rows: { message: string; phone_digits: string }[] = await pair.standby.query(
      `select message, phone_digits from sandbox_messages where direction = 'OUTBOUND'`,
    );
    const got = new Map<string, string[]>();
    for (const { message, phone_digits } of rows) {
      got.set(`+${phone_digits}`, [...(got.get(`+${phone_digits}`) ?? []), message]);
    }
    assert.equal(rows.length, total + recipients, 'nobody twice');
    for (const [uuid, to] of accepted) assert.deepEqual(got.get(to), [uuid], to);
    const people = Array.from({ length: recipients }, (_, index) => phone('campaign', index));
    assert.deepEqual(
      people.filter((one) => got.get(one)?.length !== 1),
      [],
    );
    const [{ count }] = await pair.standby.query(
      `select count(*)::int as count from messages where campaign_log = '${launch}'`,
    );
    assert.equal(count, recipients);
  }

  async function assertFiles({
    media,
    exports,
    calls,
  }: Record<'media' | 'exports' | 'calls', string[]>): Promise<void> {
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
