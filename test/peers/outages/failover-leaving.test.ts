// What has left does not leave again when a standby takes over that did not hear of it, and what was told of it is not forgotten.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, makeClient } from '../../hosts/client.ts';
import { type Hosts, hostsToken, makeHosts } from '../../hosts/hosts.ts';
import { type Outside, startOutside } from '../../hosts/outside.ts';
import { type PostgresPair, startPostgresPair } from '../../kit/postgres/postgres-pair.ts';
import { until } from '../../kit/until.ts';

const [chatNumber, smsSender] = ['+447700900900', 'PARLEY'];
const template = { template_name: 'welcome' };
const count = 20;
const phones = (from: number): string[] => Array.from({ length: count }, (_, index) => `+4477009${from + index}`);
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('A standby that is behind takes over', { timeout: 1_800_000 }, () => {
  let pair: PostgresPair;
  let outside: Outside;
  let all: Hosts;
  let client: Client;
  before(async () => {
    pair = await startPostgresPair();
    outside = await startOutside(chatNumber, smsSender);
    all = await makeHosts(['one', 'two'], { DATABASE_URL: pair.url, ...outside.env });
    client = makeClient(all.urls, hostsToken);
    await Promise.all(all.hosts.map((host) => host.start()));
    await outside.connect(client, all.urls[0]!);
  });
  after(async () => {
    await all?.stop();
    await outside?.stop();
    await pair?.stop();
  });

  const send = async (to: string, send_at: string): Promise<string[]> => {
    const message = { chatapp_number: chatNumber, to_chatapp_number: to, type: 'TEMPLATE', template, send_at };
    const sms = { from: smsSender, to, text: 'Hello', send_at };
    return [
      (await client.send('POST', '/v2/chatapp/messages/', message)).uuid,
      (await client.send('POST', '/v2/send-sms/', sms)).uuid,
    ];
  };
  const sendAll = async (to: string[], send_at: string) =>
    (await Promise.all(to.map((one) => send(one, send_at)))).flat();
  const areTaken = (wanted: string[]) =>
    until('the other side has them', () => {
      const { chat, sms } = outside.taken();
      return wanted.every((phone) => chat.includes(phone) && sms.includes(phone));
    });

  it('each phone gets what it gets once, and what the platform told of it counts', async () => {
    const [before, later] = [phones(10_000), phones(20_000)];
    const uuids = await sendAll(before, soon(8_000));
    await until('the standby has them', async () => {
      const [{ found }] = await pair.standby.query(
        `select count(*)::int as found from (
          select uuid from message_states where attempts = 0 union all select uuid from sms_states where attempts = 0) as queued
        where uuid = any ($1)`,
        [uuids],
      );
      return found === uuids.length;
    });
    await pair.leaveStandbyBehind();
    await areTaken(before);
    await outside.told();
    await pair.failOver();
    // Queued behind the others: when these have left, the others had their turn.
    await sendAll(later, soon(1_000));
    await areTaken(later);
    const { chat, sms } = outside.taken();
    assert.deepEqual(chat.toSorted(), [...before, ...later]);
    assert.deepEqual(sms.toSorted(), [...before, ...later]);
    // The SMS centre has told what became of the first ones, and does not tell it again.
    await until(
      'all messages are read and all SMS delivered, by what was told before and after',
      () => client.send('GET', '/v2/account/ledger/'),
      ({ accepted, final, sms }) => final.read === accepted && sms.final.delivered === 2 * count,
    );
    const { sms: ofSms } = await client.send('GET', '/v2/account/ledger/');
    assert.deepEqual([ofSms.accepted, ofSms.unaccounted], [2 * count, 0]);
  });
});
