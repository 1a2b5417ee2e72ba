import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type PostgresPair, startPostgresPair } from '../../kit/postgres/postgres-pair.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';
import { programToken } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

const ways = [
  { what: 'is killed', how: 'SIGKILL' },
  { what: 'answers nothing any more', how: 'SIGSTOP' },
] as const;

for (const { what, how } of ways)
  describe(`A primary that ${what}`, { timeout: 1_800_000 }, () => {
    let pair: PostgresPair;
    let parley: Parley;
    let home: string;
    before(async () => {
      pair = await startPostgresPair();
      await pair.waitForStandby();
      home = await mkdtemp(path.join(os.tmpdir(), 'parley-failover-'));
      parley = startParley(path.join(home, 'data'), {
        DATABASE_URL: pair.url,
        BOOTSTRAP_TOKEN: programToken,
        SIP_PORT: '0',
      });
      await parley.ready();
    });
    after(async () => {
      parley.signal('SIGTERM');
      await parley.ended;
      await pair.stop();
      await rm(home, { recursive: true, force: true });
    });

    const call = async (method: string, url: string, body?: object, headers = {}) => {
      const answer = await fetch(new URL(url, await parley.ready()), {
        method,
        headers: { authorization: `Token ${programToken}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as { uuid: string; status: string } };
    };
    const send = (n: number) =>
      call(
        'POST',
        '/v2/send-sms/',
        { from: '+447700900900', to: `+4477009${String(10_000 + n)}`, text: `number ${n}` },
        { 'idempotency-key': `sms ${n}` },
      );

    it('is replaced by the standby: whatever was accepted is there, everything leaves once, and work goes on', async () => {
      const accepted = new Map<number, string>();
      const sendUntilAccepted = async (n: number): Promise<void> => {
        await until(`SMS ${n} is accepted`, async () => {
          const { status, body } = await send(n);
          // Retried with its key: what was committed before the primary went is not done twice.
          if (status === 503) return false;
          assert.equal(status, 201, JSON.stringify(body));
          accepted.set(n, body.uuid);
          return true;
        });
      };
      for (let n = 0; n < 40; n++) await sendUntilAccepted(n);
      const others = Array.from({ length: 40 }, (_, n) => sendUntilAccepted(40 + n));
      await pair.failOver(how);
      await Promise.all(others);
      await sendUntilAccepted(80);
      assert.equal(accepted.size, 81);
      await until('the program is ready again', async () => (await call('GET', '/readyz')).status === 200);
      for (const uuid of accepted.values()) {
        await until(`${uuid} is delivered`, async () => {
          const { status, body } = await call('GET', `/v2/send-sms/${uuid}/`);
          return status === 200 && body.status === 'DELIVERED';
        });
      }
      const [{ count }] = await pair.standby.query('select count(*)::int as count from sms');
      assert.equal(count, 81, 'each was accepted once');
    });
  });
