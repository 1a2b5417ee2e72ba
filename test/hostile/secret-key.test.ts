import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../src/carriers/smpp/simulator/index.ts';
import { makeVault } from '../../src/platform/secrets.ts';
import { type Answer, type Stage, startStage, until } from './outage-stage.ts';

const first = 'the first key, long and random';
const other = 'another key, as long and random';

describe('A start with another SECRET_KEY', { timeout: 240_000 }, () => {
  let stage: Stage;
  let smsc: Smsc;
  before(async () => {
    smsc = await startSmsc();
    stage = await startStage({ SMPP_ALLOW: '127.0.0.1/32', SIP_ALLOW: '127.0.0.1/32', SECRET_KEY: first });
    await stage.parley.ready();
  });
  after(async () => {
    await stage.stop();
    await smsc.close();
  });

  const linkNamed = async (name: string) =>
    (await stage.call('GET', '/v2/network-status/sms/')).body.results.find(
      (one: { name: string }) => one.name === name,
    );
  const makeLink = (name: string): Promise<Answer> =>
    stage.call('POST', '/v2/sms-links/', {
      name,
      host: '127.0.0.1',
      port: smsc.port,
      system_id: 'parley',
      password: 'parley',
    });
  const isUp = (name: string) =>
    until(
      () => linkNamed(name),
      (link) => link?.state === 'UP',
    );
  const startsWith = async (env: Record<string, string>): Promise<string> => {
    await assert.rejects(stage.restart(env), /ended before it was ready/);
    assert.notEqual(await stage.parley.ended, 0);
    return stage.parley.output();
  };

  it('is refused in one sentence that says what to do; the right key starts as ever', async () => {
    assert.equal((await makeLink('one')).status, 201);
    await isUp('one');
    assert.match(await startsWith({ SECRET_KEY: other }), /^SECRET_KEY is not the one .*SECRET_KEY_CHANGED=true.*$/m);
    await stage.restart();
    await isUp('one');
  });

  it('is refused, too, where the database is from before the check', async () => {
    await stage.query('delete from secret_key_check');
    assert.match(await startsWith({ SECRET_KEY: other }), /SECRET_KEY is not the one/);
    await stage.restart();
    assert.equal((await stage.query('select 1 from secret_key_check')).length, 1);
  });

  it('that says so starts; each secret fails alone, says it, and can be set anew', async () => {
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700910000',
      type: 'TEXT',
      text: { body: 'Hello' },
    };
    const keyed = { 'idempotency-key': 'a key of before' };
    assert.equal((await stage.call('POST', '/v2/chatapp/messages/', message, keyed)).status, 201);
    const trunk = await stage.call('POST', '/v2/sip-trunks/', {
      name: 'trunk',
      host: '127.0.0.1',
      port: 9,
      username: 'parley',
      password: 'a long password',
      register: true,
    });
    assert.equal(trunk.status, 201, JSON.stringify(trunk.body));

    await stage.restart({ SECRET_KEY: other, SECRET_KEY_CHANGED: 'true' });
    assert.equal((await makeLink('two')).status, 201);
    await isUp('two');
    const one = await until(
      () => linkNamed('one'),
      (link) => link.last_error !== null && link.last_error !== 'No process has this link.',
    );
    assert.match(one.last_error, /cannot be decrypted.*Set it anew/);
    const trunks = await until(
      async () => (await stage.call('GET', '/v2/network-status/voice/')).body.results,
      (links: { last_error: string }[]) => links.some(({ last_error }) => /decrypted/.test(last_error ?? '')),
    );
    assert.ok(trunks.length > 0);

    const again = await stage.call('POST', '/v2/chatapp/messages/', message, keyed);
    assert.deepEqual([again.status, again.body.code], [409, 'idempotency_unreadable']);

    const renamed = await stage.call('PATCH', `/v2/sms-links/${one.link}/`, { weight: 2 });
    assert.equal(renamed.status, 200, 'what is not the secret can be changed');
    const changed = await stage.call('PATCH', `/v2/sms-links/${one.link}/`, { password: 'parley' });
    assert.equal(changed.status, 200);
    await isUp('one');
    const anew = await stage.call('PATCH', `/v2/sip-trunks/${trunk.body.uuid}/`, { password: 'a long password' });
    assert.equal(anew.status, 200);

    await stage.restart({ SECRET_KEY: other });
    await isUp('one');
  });

  it('one secret of another key stops neither other links nor their changes', async () => {
    await stage.query(`update sms_links set secrets = $1, modified = clock_timestamp() where name = 'one'`, [
      makeVault('a third key').seal('{"password":"parley"}'),
    ]);
    await stage.restart({ SECRET_KEY: other });
    await isUp('two');
    assert.equal((await makeLink('three')).status, 201);
    await isUp('three');
    const one = await until(
      () => linkNamed('one'),
      (link) => /decrypted/.test(link.last_error ?? ''),
    );
    assert.equal((await stage.call('PATCH', `/v2/sms-links/${one.link}/`, { password: 'parley' })).status, 200);
    await isUp('one');
  });
});
