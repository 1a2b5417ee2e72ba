// A trunk's password: it cannot be guessed at leisure, and its proof is shown to the trunk alone.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, it, type TestContext } from 'node:test';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { answer, create, fieldOf, listening, openPhone, type Phone, request, sdp, sipOf, startSipApp } from './peer.ts';

const password = 'correct horse battery';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const uri = 'sip:+441614960000@127.0.0.1';

describe('passwords of trunks', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await startSipApp();
  });
  after(() => app.close());
  afterEach(async () => {
    for (const { uuid } of (await app.call('GET', '/v2/sip-trunks/')).body.results) {
      await app.call('DELETE', `/v2/sip-trunks/${uuid}/`);
    }
    await until('no trunk is known', async () => !(await sipOf(app).canDial(app.accountId)));
  });

  async function addTrunk(fields: object) {
    const added = await app.call('POST', '/v2/sip-trunks/', { host: '127.0.0.2', ...fields });
    if (added.status === 201) await until('the trunk is known', () => sipOf(app).canDial(app.accountId));
    return added;
  }

  /** What a request is answered with, by status. */
  async function ask(phone: Phone, port: number, headers: Record<string, string> = {}): Promise<string> {
    const text = request(phone, { uri, headers });
    await phone.send(text, { port });
    const callId = fieldOf(text, 'Call-ID');
    return phone.next(new RegExp(`^SIP/2.0 [2-6][^]*Call-ID: ${callId}`));
  }

  let count = 0;
  function proof(challenge: string, username: string, guess: string): Record<string, string> {
    const nonce = /nonce="([^"]+)", algorithm=MD5/.exec(challenge)![1]!;
    const nc = (++count).toString(16).padStart(8, '0');
    const secret = md5(`${username}:parley:${guess}`);
    const response = md5(`${secret}:${nonce}:${nc}:c:auth:${md5(`INVITE:${uri}`)}`);
    const fields = { username, realm: 'parley', nonce, uri, response, cnonce: 'c' };
    const quoted = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
    return { Authorization: `Digest ${quoted.join(', ')}, algorithm=MD5, qop=auth, nc=${nc}` };
  }
  const statusOf = (message: string): number => Number(message.slice(8, 11));

  async function guesser(t: TestContext, address: string, port: number) {
    const phone = await openPhone(t, address);
    const challenge = await ask(phone, port);
    assert.equal(statusOf(challenge), 401);
    return async (guess: string, username = 'carrier') =>
      statusOf(await ask(phone, port, proof(challenge, username, guess)));
  }

  it('after a few wrong ones from an address even the right one is refused there, and taken elsewhere', async (t) => {
    assert.equal((await addTrunk({ username: 'carrier', password })).status, 201);
    const port = await listening(app);
    const [guess, genuine] = [await guesser(t, '127.0.0.8', port), await guesser(t, '127.0.0.7', port)];
    // 404: let in, and no such number.
    assert.equal(await genuine(password), 404);
    for (let n = 0; n < 5; n++) assert.equal(await guess(`guess ${n}`), 403);
    assert.equal(await guess(password), 403, 'the sixth is not looked at');
    assert.equal(await genuine(password), 404, 'who uses the same name elsewhere is not locked out');
    assert.equal(await (await guesser(t, '127.0.0.6', port))(password), 404, 'nor is one who was never here before');
  });

  it('an answer to a challenge that somebody else got is no guess at all: nobody’s tries can be used up from elsewhere', async (t) => {
    assert.equal((await addTrunk({ username: 'carrier', password })).status, 201);
    const port = await listening(app);
    const [one, other] = [await openPhone(t, '127.0.0.10'), await openPhone(t, '127.0.0.11')];
    const challenge = await ask(one, port);
    for (let n = 0; n < 8; n++) {
      assert.equal(statusOf(await ask(other, port, proof(challenge, 'carrier', `guess ${n}`))), 401);
    }
    const own = await ask(other, port);
    assert.equal(statusOf(await ask(other, port, proof(own, 'carrier', password))), 404);
  });

  it('a short one is refused at its field when a trunk is made or changed; other fields can still be changed', async () => {
    const short = await addTrunk({ name: 'Short', username: 'carrier', password: '1234567' });
    assert.deepEqual([short.status, Object.keys(short.body)], [400, ['password']], JSON.stringify(short.body));
    const made = await addTrunk({ name: 'Long', username: 'carrier', password: '12345678' });
    assert.equal(made.status, 201);
    const url = `/v2/sip-trunks/${made.body.uuid}/`;
    const changed = await app.call('PATCH', url, { password: '1234' });
    assert.deepEqual([changed.status, Object.keys(changed.body)], [400, ['password']]);
    const sealed = app.deps.vault.seal('1234');
    await app.deps.db.updateTable('sip_trunks').set({ password: sealed }).where('name', '=', 'Long').execute();
    assert.equal((await app.call('PATCH', url, { weight: 7 })).status, 200);
  });

  it('a foreign Contact that asks for proof gets none, neither with the ACK nor with the BYE', async (t) => {
    const [trunk, foreign] = [await openPhone(t, '127.0.0.2'), await openPhone(t, '127.0.0.9')];
    const challenge = 'Digest realm="x", nonce="n", algorithm=MD5, qop="auth"';
    trunk.answerAll((asked) => {
      if (asked.startsWith('ACK')) return undefined;
      if (!asked.startsWith('INVITE')) return answer(asked, 200);
      if (!/^Authorization:/im.test(asked)) return answer(asked, 401, { headers: { 'WWW-Authenticate': challenge } });
      return answer(asked, 200, {
        headers: { Contact: `<sip:somebody@${foreign.address}:${foreign.port}>` },
        body: sdp(trunk.address, trunk.rtp.port),
      });
    });
    let challenged = 0;
    foreign.answerAll((asked) => {
      if (asked.startsWith('ACK')) return undefined;
      challenged++;
      return answer(asked, 401, { headers: { 'WWW-Authenticate': challenge } });
    });
    await addTrunk({ port: trunk.port, username: 'parley', password });
    const port = await listening(app);
    const { number } = await create(app, '/v2/number/', { country_code: 'GB' });
    const { uuid } = await create(app, '/v2/voice/calls/', { from: number, to: '+447700900123', tts: 'Hello there.' });
    const { body } = await until('it ended', async () => {
      const found = await app.call('GET', `/v2/voice/calls/${uuid}/`);
      return found.body.status === 'ENDED' && found;
    });
    assert.equal(body.result, 'ANSWERED', JSON.stringify(body));
    // What follows the challenge comes before the answer to this, which is sent after it.
    await until('the BYE is challenged', () => challenged > 0);
    await ask(foreign, port);
    assert.ok(trunk.all(/^Authorization:/im).length > 0, 'the trunk itself got the proof that it asked for');
    assert.ok(foreign.all(/^ACK/).length > 0);
    assert.deepEqual(foreign.all(/^(Proxy-)?Authorization:/im), []);
  });
});
