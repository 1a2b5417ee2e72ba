import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { contentOf } from '../../src/platform/db/connect/pool.ts';
import { passContent } from '../../src/upkeep/content-pass.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const count = 700;

describe('content_encryption of an account', () => {
  let app: TestApp;
  before(async () => {
    // Without a worker, nobody but the test goes on with a pass.
    app = await startTestApp({ ROLES: 'api' });
    const to = Array.from({ length: count }, (_, index) => `+447700${900_000 + index}`);
    const sent = await app.call('POST', '/v2/send-sms/multiple/', { from: 'Parley', to, text: 'Hello' });
    assert.equal(sent.status, 201, JSON.stringify(sent.body).slice(0, 300));
  });
  after(() => app.close());

  const progress = async (token = app.token) =>
    (await app.call('GET', '/v2/account/', undefined, { token })).body.content_encryption;
  const turn = async (encrypt: boolean) => {
    const answer = await app.call('PATCH', '/v2/account/', { encrypt_content: encrypt });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    await until(() => contentOf(app.deps.db).isOn(app.accountId) === encrypt);
    return answer.body.content_encryption;
  };
  const never = { status: 'OFF', total: 0, remaining: 0, started: null, finished: null };

  it('counts down while existing content is converted, and says when that is over', async () => {
    assert.deepEqual(await progress(), never);
    for (const [encrypt, doing, done] of [
      [true, 'ENCRYPTING', 'ENCRYPTED'],
      [false, 'DECRYPTING', 'OFF'],
    ] as const) {
      const begun = await turn(encrypt);
      assert.deepEqual([begun.status, begun.total, begun.remaining, begun.finished], [doing, null, null, null]);
      const seen: number[] = [];
      for (let steps = 0; steps < 100; steps++) {
        if (await passContent(app.deps, app.accountId, { mostMs: 0 })) break;
        const { status, total, remaining } = await progress();
        assert.equal(status, doing);
        assert.ok(total >= count && remaining <= (seen.at(-1) ?? total), `${remaining} of ${total} after ${seen}`);
        seen.push(remaining);
      }
      assert.ok(seen.some((remaining) => remaining > 0) && seen.at(-1) === 0, `${seen}`);
      const over = await progress();
      assert.deepEqual([over.status, over.remaining], [done, 0]);
      assert.ok(over.started === begun.started && over.finished >= over.started);
    }
  });

  it('is shown for all accounts together at /metrics', async () => {
    await turn(true);
    assert.equal(await passContent(app.deps, app.accountId, { mostMs: 0 }), false);
    const { remaining } = await progress();
    assert.ok(remaining > 0);
    const { body } = await app.app.inject('/metrics');
    const shown = (state: string) =>
      Number(new RegExp(`parley_queue_depth\\{queue="content",state="${state}"\\} (\\d+)`).exec(body)?.[1]);
    assert.deepEqual([shown('accounts'), shown('items')], [1, remaining]);
  });

  it('does not change the version of the account, nor show at another one', async () => {
    const { headers } = await app.call('GET', '/v2/account/');
    await passContent(app.deps, app.accountId, { mostMs: 0 });
    const changed = await app.call(
      'PATCH',
      '/v2/account/',
      { name: 'Renamed' },
      { headers: { 'if-match': `${headers['etag']}` } },
    );
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(await progress(app.otherToken), never);
  });
});
