import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowOwnReceivers, readConfig } from './config.ts';

test('without settings everything has its documented default', () => {
  const config = readConfig({});
  assert.equal(config.PORT, 8080);
  assert.equal(config.HOST, '127.0.0.1');
  assert.ok(config.dataDir.endsWith('/data'));
  assert.deepEqual([...config.roles], ['api', 'worker', 'connector', 'console']);
});

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ PORT: '' }).PORT, 8080);
});

test('SPEECH_PROGRAM is espeak-ng, and none where it is empty', () => {
  assert.deepEqual(
    [{}, { SPEECH_PROGRAM: '' }, { SPEECH_PROGRAM: '/opt/espeak-ng' }].map((env) => readConfig(env).SPEECH_PROGRAM),
    ['espeak-ng', '', '/opt/espeak-ng'],
  );
});

test('DATABASE_DISTRIBUTED is citus or nothing', () => {
  assert.deepEqual(
    [{}, { DATABASE_DISTRIBUTED: 'citus' }].map((env) => readConfig(env).DATABASE_DISTRIBUTED),
    ['', 'citus'],
  );
  assert.throws(() => readConfig({ DATABASE_DISTRIBUTED: 'yes' }), /DATABASE_DISTRIBUTED/);
});

test('roles are a list of known names', () => {
  assert.deepEqual([...readConfig({ ROLES: 'api, worker' }).roles], ['api', 'worker']);
  assert.throws(() => readConfig({ ROLES: 'api,cook' }), /ROLES.*"cook"/);
});

test('in a terminal, webhooks may go to a server’s own machine, if nobody else reaches it and nothing else was said', () => {
  const allowed = (env: Record<string, string>, isTerminal = true) => {
    const given = { ...env };
    const isOpen = allowOwnReceivers(given, isTerminal);
    assert.equal(isOpen, readConfig(given).allow.webhook.includes('127.0.0.0/8'));
    return isOpen;
  };
  assert.equal(allowed({}), true);
  assert.equal(allowed({ HOST: '::1' }), true);
  assert.equal(allowed({}, false), false);
  for (const env of [
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://parley.example' },
    { TRUST_PROXY: '1' },
    { WEBHOOK_ALLOW: 'none' },
    { WEBHOOK_ALLOW: '10.0.0.0/8' },
  ] as Record<string, string>[]) {
    assert.equal(allowed(env), false, JSON.stringify(env));
  }
});

test('networks are a list, and WEBHOOK_ALLOW_PRIVATE is about webhooks alone', () => {
  const { allow } = readConfig({ SIP_ALLOW: '10.1.0.0/16, ::1', WEBHOOK_ALLOW_PRIVATE: 'true' });
  assert.deepEqual(allow, { webhook: ['0.0.0.0/0', '::/0'], sip: ['10.1.0.0/16', '::1'], smpp: [], sso: [] });
});

for (const [name, value] of [
  ['PORT', 'x'],
  ['PORT', '70000'],
  ['PROCESSES', '0'],
  ['PROCESSES', '65'],
  ['PROCESSES', 'many'],
  ['PROCESSES', '1.5'],
  ['DATABASE_URL', 'mysql://x'],
  ['PUBLIC_URL', 'parley.example'],
  ['LOG_LEVEL', 'loud'],
  ['NUMBER_PRICES', '1'],
  ['NUMBER_PRICES', '{"GB":-1}'],
  ['NUMBER_PRICES', '{"gb":1}'],
  ['WEBHOOK_ALLOW', 'localhost'],
  ['SIP_ALLOW', '10.0.0.0/33'],
  ['SMPP_ALLOW', '10.0.0.0/8,fd00::/129'],
  ['SMPP_ALLOW', '10.0.0.0/8,'],
] as const) {
  test(`${name}=${value} is refused with a sentence that names it`, () => {
    assert.throws(() => readConfig({ [name]: value }), { name: 'StartError', message: new RegExp(`^${name}=`) });
  });
}

test('WAL_ARCHIVE is refused beside DATABASE_URL, whose server archives its log itself', () => {
  assert.equal(readConfig({ WAL_ARCHIVE: '/mnt/wal' }).WAL_ARCHIVE, '/mnt/wal');
  assert.throws(() => readConfig({ WAL_ARCHIVE: '/mnt/wal', DATABASE_URL: 'postgres://db/parley' }), {
    name: 'StartError',
    message: /^WAL_ARCHIVE is for the embedded PostgreSQL/,
  });
});
