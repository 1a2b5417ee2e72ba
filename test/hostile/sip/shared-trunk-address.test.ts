// Two accounts with the same carrier: its calls come from the same address, and each account gets its own alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../src/platform/ids.ts';
import { newToken, tokenHash } from '../../../src/platform/secrets.ts';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { answer, create, fieldOf, listening, openPhone, type Phone, request, sdp, startSipApp } from './peer.ts';

const carrierHost = '127.0.0.2';

describe('accounts that share the address of a carrier', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let port: number;
  let carrier: Phone;
  const endings: (() => void)[] = [];
  /** One, another, and a third that has nothing to do with this carrier; with a number each. */
  let accounts: { token: string; number: string }[];

  before(async () => {
    app = await startSipApp();
    const { db } = app.deps;
    const [account, third] = [newId(), newToken()];
    await db.insertInto('accounts').values({ uuid: account, name: 'A third tenant' }).execute();
    await db
      .insertInto('tokens')
      .values({ account_id: account, uuid: newId(), name: 'test', hash: tokenHash(third), scopes: ['read', 'write'] })
      .execute();
    carrier = await openPhone({ after: (done) => endings.push(done as () => void) }, carrierHost);
    // Calls that are passed on to it ring.
    carrier.answerAll((asked) => {
      if (asked.startsWith('ACK')) return undefined;
      return answer(asked, asked.startsWith('INVITE') ? 180 : 200);
    });
    accounts = [];
    for (const token of [app.token, app.otherToken, third]) {
      const host = token === third ? '127.0.0.5' : carrierHost;
      const fields = { country_code: 'GB', target_number: '+447700900999' };
      accounts.push({ token, number: (await create(app, '/v2/number/', fields, token)).number });
      await create(app, '/v2/sip-trunks/', { name: 'Carrier', host, port: carrier.port }, token);
    }
    port = await listening(app);
    await until('all trunks are known', async () => {
      const states = await Promise.all(accounts.map(({ token }) => linksOf(token)));
      return states.every(([link]) => link && !/No process/.test(link.last_error));
    });
  });
  after(async () => {
    await app.close();
    for (const end of endings) end();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, asserted below
  type Any = any;
  const linksOf = async (token: string): Promise<Any[]> =>
    (await app.call('GET', '/v2/network-status/voice/', undefined, { token })).body.results.filter(
      ({ carrier }: Any) => carrier === 'sip',
    );
  /** How many calls to a number each account sees. */
  const seen = (number: string): Promise<number[]> =>
    Promise.all(
      accounts.map(async ({ token }) => {
        const { body } = await app.call('GET', '/v2/voice/calls/', undefined, { token });
        return body.results.filter((call: Any) => call.to === number || call.number === number).length;
      }),
    );

  async function call(number: string): Promise<string> {
    const invite = request(carrier, { uri: `sip:${number}@127.0.0.1`, body: sdp(carrierHost, carrier.rtp.port) });
    await carrier.send(invite, { port });
    const callId = fieldOf(invite, 'Call-ID');
    return carrier.next(new RegExp(`^SIP/2.0 (18|[2-6])[^]*Call-ID: ${callId}`));
  }

  it('a call is that of the account whose number is called, and counts for its trunk alone', async () => {
    await call(accounts[1]!.number);
    await until('the call is there', async () => (await seen(accounts[1]!.number))[1] === 1);
    assert.deepEqual(await seen(accounts[1]!.number), [0, 1, 0]);
    await until('its trunk counts it', async () => (await linksOf(accounts[1]!.token))[0].calls >= 1);
    assert.equal((await linksOf(accounts[0]!.token))[0].calls, 0);
  });

  it('a number of neither is refused, and leaves no trace with anybody', async () => {
    const nobody = '+441614960987';
    for (const number of [accounts[2]!.number, nobody]) {
      assert.match(await call(number), /^SIP\/2\.0 404 /);
      assert.deepEqual(await seen(number), [0, 0, 0]);
    }
  });
});
