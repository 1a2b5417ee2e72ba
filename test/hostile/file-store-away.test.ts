import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

describe('The file store is away', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    // A port that nobody listens on.
    const probe = net.createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    app = await startTestApp({ ROLES: 'api', FILES_URL: `s3://id:hush@bucket?endpoint=http://127.0.0.1:${port}` });
  });
  after(() => app.close());

  it('the server starts, /readyz says what is wrong, and the settings do not hold the secret', async () => {
    const { status, body } = await app.call('GET', '/readyz', undefined, { token: null });
    assert.equal(status, 503);
    assert.equal(body.checks.files, 'The file store: The connection was refused.');
    assert.equal(body.checks.database, 'ok');
    assert.equal(app.deps.config.FILES_URL, '');
  });

  it('a download is answered 503 with Retry-After', async () => {
    const uuid = newId();
    const file = { uuid, name: 'a', filename: 'a.mp3', size: 3, sha256: 'a'.repeat(64), duration_ms: 1 };
    await app.deps.db
      .insertInto('audio_files')
      .values({ account_id: app.accountId, ...file })
      .execute();
    const answer = await app.call('GET', `/v2/audio-files/${uuid}/content/`);
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'], JSON.stringify(answer.body));
    assert.deepEqual(answer.body, {
      detail: 'The file store is unavailable. Try again shortly.',
      code: 'unavailable',
    });
  });
});
