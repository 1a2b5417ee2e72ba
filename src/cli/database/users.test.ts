import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it, mock } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { databaseUrl } from '../../../test/kit/database.ts';
import { enrol, makePerson, passwordOfAll } from '../../../test/kit/person.ts';
import { until } from '../../../test/kit/until.ts';
import { passwordCosts } from '../../platform/passwords.ts';
import { run } from '../run.ts';

describe('parley users', () => {
  let app: TestApp;
  const cheap = { usual: { N: 64, r: 8, p: 1 }, light: { N: 32, r: 8, p: 1 } };
  const costs: { mock: { restore(): void } }[] = [];
  before(async () => {
    costs.push(mock.property(passwordCosts, 'usual', cheap.usual), mock.property(passwordCosts, 'light', cheap.light));
    app = await startTestApp({ ROLES: 'api' }, { passwordCosts: cheap });
  });
  after(async () => {
    for (const one of costs) one.mock.restore();
    await app.close();
  });

  async function parley(args: string[], input = '') {
    const said: string[] = [];
    const mocks = [
      ...(['log', 'error'] as const).map((way) => mock.method(console, way, (line: string) => void said.push(line))),
      mock.getter(process, 'stdin', () => Readable.from([input]) as unknown as NodeJS.ReadStream & { fd: 0 }),
    ];
    const env = { DATABASE_URL: databaseUrl(app.connection) };
    const code = await run(['node', 'parley', 'users', ...args], env).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, said: said.join('\n') };
  }
  const signIn = (username: string, password: string) =>
    app.call('POST', '/v2/auth/token/', { username, password }, { token: null });

  it('sets a lost password without any token: the new one works, the old one and its tokens do not, and it is in the audit log', async () => {
    const { password } = app.first.user!;
    const { token } = (await signIn('admin', password)).body;
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token })).status, 200);
    const { code, said } = await parley(['set-password', 'Admin'], 'correct horse battery\n');
    assert.equal(code, 0, said);
    assert.match(said, /^admin has the new password/);
    const { password_hash } = await app.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow();
    assert.ok(password_hash.startsWith(`scrypt$${cheap.usual.N}$8$1$`), 'at the usual cost');
    // The server is told by a notice.
    await until(
      async () => (await app.call('GET', '/v2/account/', undefined, { token })).status,
      (status) => status === 401,
    );
    assert.equal((await signIn('admin', password)).status, 400);
    assert.equal((await signIn('admin', 'correct horse battery')).status, 200);
    const { body } = await app.call('GET', '/v2/audit-log/?operation=updateUser');
    assert.deepEqual(
      body.results.map((entry: { summary: string }) => entry.summary),
      ['Set a password on the command line'],
    );
  });

  it('removes second factors that were lost, and ends the sessions of their user', async () => {
    const grace = await makePerson(app, 'grace');
    await enrol(grace);
    assert.equal((await signIn('grace', passwordOfAll)).body.code, 'otp_required');
    const { code, said } = await parley(['reset-factors', 'Grace']);
    assert.deepEqual([code, said], [0, 'grace has no second factor any more. Their sessions have ended.']);
    await until(
      async () => (await grace.call('GET', '/v2/account/')).status,
      (status) => status === 401,
    );
    assert.equal((await signIn('grace', passwordOfAll)).status, 200);
    assert.equal((await parley(['reset-factors', 'nobody'])).code, 1);
  });

  it('creates a user, and lists all', async () => {
    const made = await parley(['create', 'ana@example.com', '--scope', 'chatapp:read'], 'correct horse battery\n');
    assert.equal(made.code, 0, made.said);
    assert.equal((await signIn('ana@example.com', 'correct horse battery')).status, 200);
    assert.match((await parley(['list'])).said, /^ana@example\.com +chatapp:read +signed in .*First account$/m);
    const again = await parley(['create', 'ANA@example.com'], 'correct horse battery\n');
    assert.deepEqual([again.code, again.said], [1, 'Somebody is called "ANA@example.com" already.']);
  });

  it('creates a user with a role, built in or of the account', async () => {
    await app.call('POST', '/v2/roles/', { name: 'desk', scopes: ['inbox:read'] });
    for (const [username, role] of [
      ['hana', 'agent'],
      ['ivan', 'desk'],
    ] as const) {
      const made = await parley(['create', username, '--role', role, '--json'], 'correct horse battery\n');
      assert.deepEqual([made.code, JSON.parse(made.said).role], [0, role], made.said);
    }
    const { results } = (await app.call('GET', '/v2/users/?page_size=200')).body;
    const ivan = results.find((one: { username: string }) => one.username === 'ivan');
    assert.deepEqual([ivan.role, ivan.scopes], ['desk', ['inbox:read']]);
    const unknown = await parley(['create', 'judy', '--role', 'pilot'], 'correct horse battery\n');
    assert.deepEqual([unknown.code, unknown.said], [1, 'There is no role "pilot".']);
    const both = await parley(['create', 'judy', '--role', 'agent', '--scope', 'read'], 'correct horse battery\n');
    assert.deepEqual([both.code, both.said], [2, 'Give either --role or --scope.']);
  });

  it('refuses in a sentence, and changes nothing', async () => {
    const cases: [string[], string, RegExp][] = [
      [['set-password', 'nobody'], 'correct horse battery', /^Nobody is called "nobody"/],
      [['set-password', 'admin'], 'short', /^password: /],
      [['set-password', 'admin'], '', /^Standard input has no password/],
      [['create', 'a b'], 'correct horse battery', /^username: /],
      [['create', 'longer-name'], 'longer-name', /too similar/],
      [['create', 'bea', '--scope', 'nonsense'], 'correct horse battery', /^scopes: Not a valid scope/],
      [['create', 'bea', '--account', 'x'], 'correct horse battery', /not the uuid of an account/],
    ];
    for (const [args, input, sentence] of cases) {
      const { code, said } = await parley(args, input);
      assert.notEqual(code, 0);
      assert.match(said, sentence);
    }
    assert.equal((await signIn('admin', 'correct horse battery')).status, 200);
  });
});
