import assert from 'node:assert/strict';
import type { TestAnswer, TestApp } from '../kit/app.ts';
import { codeOf, fromConsole, makePerson, signInAs } from '../kit/person.ts';
import { makeAuthenticator } from '../kit/sign-in/authenticator.ts';
import { type Operation, operations, title } from './surface.ts';

export interface Step {
  operation: Operation;
  answer: TestAnswer;
  requestId: string;
}

/** Walks through the operations that only a person can call, in an order in which each succeeds. */
export async function walkAsPerson(app: TestApp): Promise<Step[]> {
  const security = await app.call('PATCH', '/v2/account/security/', { require_second_factor: false });
  assert.equal(security.status, 200);
  const person = await makePerson(app, 'walker');
  const steps: Step[] = [];
  const walk = async (operationId: string, body?: unknown, uuid = '') => {
    const operation = operations.find((one) => one.operationId === operationId)!;
    const requestId = `walk-${operationId}`;
    const headers = { cookie: person.cookie, ...fromConsole, 'x-request-id': requestId };
    const address = operation.url.replace(':uuid', uuid);
    const answer = await app.call(operation.method, address, body, { token: null, headers });
    assert.ok(answer.status < 300, `${title(operation)} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    steps.push({ operation, answer, requestId });
    return answer.body;
  };
  await walk('confirmSession', { password: person.password });
  const another = await signInAs(app, person);
  await walk('getProfile');
  await walk('updateProfile', { full_name: 'Ana Silva', time_zone: 'Europe/Lisbon' });
  const sessions: { uuid: string; current: boolean }[] = (await walk('listOwnSessions')).results;
  assert.equal(another.status, 200);
  await walk('deleteOwnSession', undefined, sessions.find(({ current }) => !current)!.uuid);
  await walk('deleteOwnSessions');
  await walk('changePassword', { current_password: person.password, new_password: 'a long pass phrase' });
  const { secret } = await walk('startTotp');
  await walk('confirmTotp', { otp: codeOf(secret) });
  await walk('renewRecoveryCodes');
  const options = await walk('getPasskeyRegistrationOptions');
  const credential = makeAuthenticator('http://localhost').create(options);
  const { uuid } = await walk('createPasskey', { name: 'Laptop', credential });
  await walk('renamePasskey', { name: 'Old laptop' }, uuid);
  await walk('getFactors');
  await walk('deletePasskey', undefined, uuid);
  await walk('removeTotp');
  return steps;
}
