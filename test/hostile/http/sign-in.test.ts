import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { purgeSignInsAnyAccount } from '../../../src/domains/accounts/index.ts';
import { passwordCosts } from '../../../src/platform/passwords.ts';
import { startTestApp, type TestApp } from '../../kit/app.ts';

// Whoever guesses passwords gets few tries, however many they send at once, and keeps nobody else out.

let app: TestApp;
let base: URL;
let password: string;
before(async () => {
  // Half the usual cost is enough to see that guesses wait for each other.
  const usual = { ...passwordCosts.usual, N: passwordCosts.usual.N / 2 };
  app = await startTestApp({ ROLES: 'api', TRUST_PROXY: 'true' }, { passwordCosts: { ...passwordCosts, usual } });
  base = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
  password = app.first.user!.password;
});
after(() => app.close());

interface Reply {
  status: number;
  retryAfter: string | undefined;
  body: { detail?: string; non_field_errors?: string[]; token?: string };
}

/** Over a connection of its own, from the given address as the proxy tells it. */
function enter(from: string, username: string, secret: string, signal?: AbortSignal): Promise<Reply> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const url = new URL('/v2/auth/token/', base);
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: 'POST', agent: false, headers, ...(signal && { signal }) },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        answer.on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'], body });
        });
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify({ username, password: secret }));
  });
}

const hashOfAdmin = async (): Promise<string> =>
  (
    await app.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
  ).password_hash;

test('an old, cheap hash still opens, also twice at once, and is made anew at the usual cost', async () => {
  assert.match(await hashOfAdmin(), /^scrypt\$16384\$8\$1\$/);
  const both = await Promise.all([enter('198.51.100.1', 'admin', password), enter('198.51.100.1', 'admin', password)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.match(await hashOfAdmin(), /^scrypt\$65536\$8\$1\$/);
});

test('of 120 guesses at once few are looked at; the others are told when to come back', async () => {
  const guesses = Array.from({ length: 120 }, (_, index) => enter('203.0.113.9', 'admin', `guess ${index}`));
  const answers = await Promise.all(guesses);
  const looked = answers.filter(({ status }) => status === 400);
  assert.ok(looked.length >= 1 && looked.length <= 12, `${looked.length} guesses were looked at`);
  for (const { body } of looked) {
    assert.deepEqual(body, { non_field_errors: ['Unable to log in with provided credentials.'] });
  }
  for (const { status, retryAfter, body } of answers.filter((answer) => !looked.includes(answer))) {
    assert.equal(status, 429);
    assert.equal(body.detail, `Request was throttled. Expected available in ${retryAfter} seconds.`);
    assert.ok(Number(retryAfter) >= 1);
  }
});

test('the guesser has to wait, even with the right password; somebody else with it gets in at once', async () => {
  const { db } = app.deps;
  const { numUpdatedRows } = await db
    .updateTable('login_failures')
    .set({ blocked_until: sql`now() + interval '10 minutes'` })
    .where('network', '=', '203.0.113.9')
    .executeTakeFirst();
  assert.equal(numUpdatedRows, 1n);
  assert.equal((await enter('203.0.113.9', 'admin', password)).status, 429);
  assert.equal((await enter('198.51.100.2', 'admin', password)).status, 200);
});

test('of an IPv6 network all addresses are one guesser', async () => {
  const { db } = app.deps;
  const blocked_until = sql<string>`now() + interval '10 minutes'`;
  const row = { username: 'admin', network: '2001:db8:0:7::/64', failures: 9, blocked_until };
  await db.insertInto('login_failures').values(row).execute();
  assert.equal((await enter('2001:db8:0:7:aaaa::1', 'admin', password)).status, 429);
  assert.equal((await enter('2001:db8:0:7:bbbb::2', 'admin', password)).status, 429);
  assert.equal((await enter('2001:db8:0:8::1', 'admin', password)).status, 200);
});

test('a name that is guessed at from everywhere is slow for strangers, not where its user comes from', async () => {
  const { db } = app.deps;
  const blocked_until = sql<string>`now() + interval '50 seconds'`;
  const attacked = { username: 'admin', network: '', failures: 5_000, blocked_until };
  await db
    .insertInto('login_failures')
    .values(attacked)
    .onConflict((conflict) => conflict.columns(['username', 'network']).doUpdateSet(attacked))
    .execute();
  assert.equal((await enter('192.0.2.77', 'admin', password)).status, 429);
  assert.equal((await enter('198.51.100.2', 'admin', password)).status, 200);
  // When its turn comes, a stranger with the right password gets in, too.
  await sql`update login_failures set blocked_until = now() where username = 'admin' and network = ''`.execute(db);
  assert.equal((await enter('192.0.2.78', 'admin', password)).status, 200);
});

test('a crowd of junk sign-ins does not stand before somebody else, and costs nothing once it has hung up', async () => {
  const end = new AbortController();
  let looked = 0;
  const crowd = Array.from({ length: 60 }, (_, index) =>
    enter('203.0.113.50', `nobody-${index}`, 'junk', end.signal).then(
      ({ status }) => status === 400 && looked++,
      () => {},
    ),
  );
  // Those beyond the line are refused at once: from then on it is full.
  await Promise.race(crowd);
  assert.equal((await enter('198.51.100.3', 'admin', password)).status, 200);
  assert.ok(looked <= 20, `${looked} of the crowd were served before`);
  end.abort();
  await Promise.all(crowd);
  assert.equal((await enter('198.51.100.3', 'admin', password)).status, 200);
});

test('what was counted is forgotten after a while', async () => {
  const { db } = app.deps;
  const blocked_until = sql<string>`now() - interval '2 hours'`;
  await db.updateTable('login_failures').set({ blocked_until }).execute();
  await purgeSignInsAnyAccount(db);
  assert.deepEqual(await db.selectFrom('login_failures').selectAll().execute(), []);
});
