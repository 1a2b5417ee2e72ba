import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { startTestApp, type TestApp } from '../../test/kit/app.ts';
import { until } from '../../test/kit/until.ts';
import { completionsFor } from './completions.ts';
import { makeProgram } from './program.ts';
import { run } from './run.ts';

describe('parley messages and links', () => {
  let app: TestApp;
  let server: string[];
  before(async () => {
    app = await startTestApp({ SMPP_ALLOW: '127.0.0.1/32' });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    server = ['--url', `http://127.0.0.1:${port}`, '--token', app.token];
  });
  after(() => app.close());

  async function parley(...args: string[]) {
    const said: string[] = [];
    const mocks = (['log', 'error'] as const).map((way) =>
      mock.method(console, way, (line: string) => void said.push(line)),
    );
    const code = await run(['node', 'parley', ...args, ...server], {}).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, said: said.join('\n') };
  }

  it('list, show and explain a message', async () => {
    const { uuid } = (
      await app.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: '+447700900123',
        type: 'TEMPLATE',
        template: { template_name: 'welcome' },
      })
    ).body;
    await until(
      async () => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body.status,
      (status) => status === 'READ',
    );
    assert.match(
      (await parley('messages', 'list')).said,
      new RegExp(`^${uuid} .* READ +\\+447700900001 → \\+447700900123$`),
    );
    assert.equal((await parley('messages', 'list', '--status', 'failed')).said, '');
    assert.equal(JSON.parse((await parley('messages', 'show', uuid)).said).uuid, uuid);
    const { said } = await parley('messages', 'explain', uuid);
    assert.match(said, /has opened it[\s\S]*QUEUED[\s\S]*SENT[\s\S]*DELIVERED[\s\S]*READ/);
    const told = JSON.parse((await parley('messages', 'explain', uuid, '--json')).said);
    assert.deepEqual([told.message.uuid, told.steps.length >= 4], [uuid, true]);
    const unknown = await parley('messages', 'explain', app.accountId);
    assert.equal(unknown.code, 1);
  });

  it('the same of an SMS', async () => {
    const sent = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: '+447700900123', text: 'Hello' });
    const { uuid } = sent.body;
    await until(
      async () => (await app.call('GET', `/v2/send-sms/${uuid}/`)).body.status,
      (status) => status === 'DELIVERED',
    );
    assert.match((await parley('messages', 'list', '--sms')).said, new RegExp(`${uuid} .* DELIVERED +Parley → `));
    assert.match((await parley('messages', 'explain', '--sms', uuid)).said, /arrived on the recipient's phone/);
  });

  it('links are listed with their state, and shown without their password', async () => {
    const link = { name: 'main', host: '127.0.0.1', port: 1, system_id: 'a', password: 'zyx987' };
    assert.equal((await app.call('POST', '/v2/sms-links/', link)).status, 201);
    assert.match((await parley('links', 'list')).said, / SMS {2}(DOWN|CONNECTING) +smpp +main/);
    const { said } = await parley('links', 'show', 'main');
    assert.match(said, /^main is (DOWN|CONNECTING)[\s\S]*"system_id": "a"/);
    assert.doesNotMatch(said, /zyx987/);
    assert.equal((await parley('links', 'show', 'other')).code, 1);
  });
});

describe('parley completions', () => {
  const program = makeProgram({}, () => {});
  /** What bash offers after these words. */
  function offered(...words: string[]): string[] {
    const script = `${completionsFor(program, 'bash')}
COMP_WORDS=(parley "$@"); COMP_CWORD=$#; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    return stdout.split('\n').filter(Boolean);
  }

  it('offers the commands and options of the program in bash', () => {
    assert.deepEqual(offered('back'), ['backup']);
    assert.deepEqual(offered('messages', 'e'), ['explain']);
    assert.ok(offered('messages', 'list', '--').includes('--status'));
    assert.ok(!offered('messages', 'list', '--').includes('--errors'));
    assert.deepEqual(offered('backup', '--json', 'ver'), ['verify']);
  });

  it('names every command for zsh and fish', () => {
    for (const shell of ['zsh', 'fish'] as const) {
      const text = completionsFor(program, shell);
      for (const command of program.commands) assert.ok(text.includes(command.name()), `${shell}: ${command.name()}`);
    }
  });
});
