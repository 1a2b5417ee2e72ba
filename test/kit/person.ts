import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { tokenHash } from '../../src/platform/secrets.ts';
import type { TestAnswer, TestApp } from './app.ts';

/** Somebody in a browser: their requests carry the session's cookie. */
export interface Person {
  uuid: string;
  username: string;
  password: string;
  cookie: string;
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown): Promise<TestAnswer>;
}

export const fromConsole = { 'x-requested-with': 'parley-console' };
export const passwordOfAll = 'open sesame please';

/** Makes a user and signs them in. */
export async function makePerson(
  app: TestApp,
  username: string,
  { scopes = ['read', 'write'], headers = {} }: { scopes?: string[]; headers?: Record<string, string> } = {},
): Promise<Person> {
  const made = await app.call('POST', '/v2/users/', { username, password: passwordOfAll, scopes });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const answer = await signInAs(app, { username, password: passwordOfAll }, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const cookie = cookieOf(answer);
  return { uuid: made.body.uuid, username, password: passwordOfAll, cookie, call: callWith(app, cookie, headers) };
}

export const signInAs = (app: TestApp, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  app.call('POST', '/v2/auth/session/', body, { token: null, headers: { ...fromConsole, ...headers } });

export const cookieOf = ({ headers }: TestAnswer): string => String(headers['set-cookie']).split(';')[0]!;

export const callWith =
  (app: TestApp, cookie: string, headers: Record<string, string> = {}): Person['call'] =>
  (method, url, body) =>
    app.call(method, url, body, { token: null, headers: { cookie, ...fromConsole, ...headers } });

/** The code that an authenticator app shows; `steps` later, where one was used already. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Gives somebody an authenticator app; answers its secret and the recovery codes. */
export async function enrol(person: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await person.call('POST', '/v2/auth/factors/totp/')).body;
  const confirmed = await person.call('POST', '/v2/auth/factors/totp/confirm/', { otp: codeOf(secret) });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { secret, codes: confirmed.body.recovery_codes };
}

/** As if the last code had been used long ago, and the last wrong one, too. */
export const forgetCodes = (app: TestApp, uuid: string) =>
  app.deps.db
    .updateTable('second_factors')
    .set({ totp_step: 0, failures: 0, blocked_until: null })
    .where('user_uuid', '=', uuid)
    .execute();

/** As if whoever holds the session had signed in an hour ago. */
export async function makeStale(app: TestApp, person: Person): Promise<void> {
  await app.deps.db
    .updateTable('tokens')
    .set({ authenticated: new Date(Date.now() - 3_600_000).toISOString() })
    .where('hash', '=', tokenHash(person.cookie.split('=')[1]!))
    .execute();
  app.deps.caches.forget('tokens');
}
