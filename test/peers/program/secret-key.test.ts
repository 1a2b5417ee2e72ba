import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CloudSimulator, startCloudSimulator } from '../../../simulators/cloud-api/index.ts';
import { type Smsc, startSmsc } from '../../../simulators/smsc/index.ts';
import { makeVault } from '../../../src/platform/secrets.ts';
import { type Program, type ProgramAnswer, startProgram } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';
import { startReceiver, verifies } from '../../kit/webhooks/receiver.ts';

const first = 'the first key, long and random';
const other = 'another key, as long and random';

describe('A start with another SECRET_KEY', { timeout: 1_800_000 }, () => {
  let program: Program;
  let smsc: Smsc;
  let platform: CloudSimulator;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  before(async () => {
    smsc = await startSmsc();
    platform = await startCloudSimulator({ speed: 1000 });
    receiver = await startReceiver();
    program = await startProgram({
      SMPP_ALLOW: '127.0.0.1/32',
      SIP_ALLOW: '127.0.0.1/32',
      WEBHOOK_ALLOW: '127.0.0.1/32',
      CLOUD_API_URL: platform.url,
      SECRET_KEY: first,
    });
    await program.parley.ready();
  });
  after(async () => {
    await program.stop();
    await smsc.close();
    await platform.close();
    await receiver.close();
  });

  const linkNamed = async (name: string) =>
    (await program.call('GET', '/v2/network-status/sms/')).body.results.find(
      (one: { name: string }) => one.name === name,
    );
  const makeLink = (name: string): Promise<ProgramAnswer> =>
    program.call('POST', '/v2/sms-links/', {
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
    await assert.rejects(program.restart(env), /ended before it was ready/);
    assert.notEqual(await program.parley.ended, 0);
    return program.parley.output();
  };

  it('is refused in one sentence that says what to do; the right key starts as ever', async () => {
    assert.equal((await makeLink('one')).status, 201);
    await isUp('one');
    assert.match(await startsWith({ SECRET_KEY: other }), /^SECRET_KEY is not the one .*SECRET_KEY_CHANGED=true.*$/m);
    // So it is where the database is from before the check.
    await program.query('delete from secret_key_check');
    assert.match(await startsWith({ SECRET_KEY: other }), /SECRET_KEY is not the one/);
    await program.restart();
    await isUp('one');
    assert.equal((await program.query('select 1 from secret_key_check')).length, 1);
  });

  it('that says so starts; each secret fails alone, says it, and can be set anew', async () => {
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700910000',
      type: 'TEXT',
      text: { body: 'Hello' },
    };
    const { chatapp_number } = message;
    assert.equal((await program.call('POST', '/v2/chatapp/accounts/', { chatapp_number })).status, 201);
    const keyed = { 'idempotency-key': 'a key of before' };
    assert.equal((await program.call('POST', '/v2/chatapp/messages/', message, keyed)).status, 201);
    const trunk = await program.call('POST', '/v2/sip-trunks/', {
      name: 'trunk',
      host: '127.0.0.1',
      port: 9,
      username: 'parley',
      password: 'a long password',
      register: true,
    });
    assert.equal(trunk.status, 201, JSON.stringify(trunk.body));

    await program.restart({ SECRET_KEY: other, SECRET_KEY_CHANGED: 'true' });
    assert.equal((await makeLink('two')).status, 201);
    await isUp('two');
    const one = await until(
      () => linkNamed('one'),
      (link) => link.last_error !== null && link.last_error !== 'No process has this link.',
    );
    assert.match(one.last_error, /cannot be decrypted.*Enter (it|the secret) again/);
    const trunks = await until(
      async () => (await program.call('GET', '/v2/network-status/voice/')).body.results,
      (links: { last_error: string }[]) => links.some(({ last_error }) => /decrypted/.test(last_error ?? '')),
    );
    assert.ok(trunks.length > 0);

    const again = await program.call('POST', '/v2/chatapp/messages/', message, keyed);
    assert.deepEqual([again.status, again.body.code], [409, 'idempotency_unreadable']);

    const renamed = await program.call('PATCH', `/v2/sms-links/${one.link}/`, { weight: 2 });
    assert.equal(renamed.status, 200, 'what is not the secret can be changed');
    const changed = await program.call('PATCH', `/v2/sms-links/${one.link}/`, { password: 'parley' });
    assert.equal(changed.status, 200);
    await isUp('one');
    const anew = await program.call('PATCH', `/v2/sip-trunks/${trunk.body.uuid}/`, { password: 'a long password' });
    assert.equal(anew.status, 200);

    await program.restart({ SECRET_KEY: other });
    await isUp('one');
  });

  it('one secret of another key stops neither other links nor their changes', async () => {
    await program.query(`update sms_links set secrets = $1, modified = clock_timestamp() where name = 'one'`, [
      makeVault('a third key').seal('{"password":"parley"}'),
    ]);
    await program.restart({ SECRET_KEY: other });
    await isUp('two');
    assert.equal((await makeLink('three')).status, 201);
    await isUp('three');
    const one = await until(
      () => linkNamed('one'),
      (link) => /decrypted/.test(link.last_error ?? ''),
    );
    assert.equal((await program.call('PATCH', `/v2/sms-links/${one.link}/`, { password: 'parley' })).status, 200);
    await isUp('one');
  });

  const secrets = () => ({
    access_token: platform.token,
    app_secret: platform.appSecret,
    verify_token: 'verify',
  });
  /** A number of its own on the platform, and its chat-app account here. */
  async function makeSender(number: string) {
    const { id } = platform.addNumber(number);
    const made = await program.call('POST', '/v2/chatapp/accounts/', {
      chatapp_number: number,
      carrier: 'cloud-api',
      phone_number_id: id,
      business_account_id: platform.accountId,
      app_id: '1000000000000001',
      ...secrets(),
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const templates = '/v2/chatapp/message-templates/';
    await program.call('POST', `${templates}sync/`, { chatapp_number: number });
    await until(
      async () => (await program.call('GET', `${templates}?chatapp_number=${encodeURIComponent(number)}`)).body.results,
      (known) => known.length > 0,
    );
    return { number, path: `/v2/chatapp/accounts/${made.body.uuid}/`, webhook: made.body.webhook_path as string };
  }
  const read = async (uuid: string) => (await program.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;
  const reaches = (uuid: string, status: string) =>
    until(
      () => read(uuid),
      (message) => message.status === status,
    );
  const template = { type: 'TEMPLATE', template: { template_name: 'hello', language_code: 'en' } };
  async function send(number: string): Promise<string> {
    const sent = await program.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: number,
      to_chatapp_number: '+34600111222',
      ...template,
    });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    return sent.body.uuid;
  }

  it('chat-app accounts and webhooks whose secrets are unreadable fail alone, say so, and can be set anew', async () => {
    platform.addTemplate({ name: 'hello', language: 'en', components: [{ type: 'BODY', text: 'Hello' }] });
    const lost = await makeSender('+34900111301');
    const hook = async (path: string) => {
      const fields = { url: `${receiver.url}/${path}`, events: ['chatapp.message.status'] };
      const made = await program.call('POST', '/v2/chatapp/webhooks/', fields);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body as { uuid: string; secret: string };
    };
    const lostHook = await hook('lost');
    await reaches(await send(lost.number), 'SENT');

    await program.restart({ SECRET_KEY: 'a fourth key', SECRET_KEY_CHANGED: 'true' });
    const kept = await makeSender('+34900111302');
    const keptHook = await hook('kept');
    const isHeard = (path: string, secret: string) =>
      until(async () => receiver.received.some((one) => one.path.endsWith(path) && verifies(one, secret)), Boolean);
    receiver.received.length = 0;
    const [waiting, sent] = [await send(lost.number), await send(kept.number)];
    await reaches(sent, 'SENT');
    await isHeard('/kept', keptHook.secret);

    // Of the message, of what the platform tells, of the webhook: each says what is wrong.
    const held = await until(
      () => read(waiting),
      ({ status_description }) => status_description !== '',
    );
    assert.deepEqual(
      [held.status, /SECRET_KEY.*Enter (it|the secret) again/.test(held.status_description)],
      ['QUEUED', true],
      JSON.stringify(held),
    );
    const told = await fetch(new URL(lost.webhook, await program.parley.ready()), { method: 'POST', body: '{}' });
    assert.equal(told.status, 503, 'the platform comes again');
    const delivery = await until(
      async () =>
        (await program.call('GET', `/v2/webhook-deliveries/?webhook=${lostHook.uuid}&page_size=1`)).body.results[0],
      (one) => (one?.attempt_count ?? 0) > 0,
    );
    const attempts = (await program.call('GET', `/v2/webhook-deliveries/${delivery.uuid}/`)).body;
    assert.match(JSON.stringify(attempts), /cannot be decrypted with this SECRET_KEY/);
    assert.equal(
      receiver.received.some((one) => one.path.endsWith('/lost')),
      false,
      'nothing unsigned leaves',
    );

    const half = await program.call('PATCH', lost.path, { access_token: platform.token });
    assert.deepEqual([half.status, Object.keys(half.body).sort()], [400, ['app_secret', 'verify_token']]);
    assert.equal((await program.call('PATCH', lost.path, secrets())).status, 200);
    await reaches(waiting, 'SENT');
    const rotated = await program.call('POST', `/v2/chatapp/webhooks/${lostHook.uuid}/rotate-secret/`, {});
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    await reaches(await send(lost.number), 'SENT');
    await isHeard('/lost', rotated.body.secret);
  });
});
