// Driven from the route table: a new operation is either in the audit log or says why not.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isAudited } from '../../src/platform/http/audit.ts';
import type { TestApp } from '../kit/app.ts';
import { walkAsPerson } from '../sweep/persons.ts';
import { addressOf, isPersonal, type Operation, operations, startSurface, title } from '../sweep/surface.ts';

const changing = operations.filter(({ method }) => method !== 'GET');

/** Traffic, which the timeline has, and tests of what is set up. Whoever adds to it decides that nobody asks who did it. */
const notAudited = [
  'createMessage',
  'createMessageFeedback',
  'createSmsFeedback',
  'findSsoProviders',
  'getInvitation',
  'getPasskeyOptions',
  'getPasskeyRegistrationOptions',
  'markMessageRead',
  'sendMultipleSms',
  'sendSms',
  'startCall',
  'startChatIntro',
  'startSso',
  'submitLead',
  'testChatappWebhook',
  'testIdentityProvider',
  'testNumberWebhook',
  'testWebhook',
];
/** They write their entries themselves; see the tests beside them. */
const signIns = ['acceptInvitation', 'createSession', 'getAuthToken'];

/** Previews and the like. */
const isHarmless = ({ scope }: Operation): boolean => scope.endsWith(':read');

describe('Every operation that is no GET', () => {
  let app: TestApp;
  before(async () => {
    app = await startSurface();
  });
  after(() => app.close());

  const entriesOf = (requestId: string) =>
    app.deps.db.selectFrom('audit_log').selectAll().where('request_id', '=', requestId).execute();

  it('is audited, only reads, or is flagged and known here', () => {
    for (const operation of changing) {
      const { scope, audit } = operation;
      if (scope === 'public') assert.ok(audit === 'itself' || audit === false, title(operation));
      else assert.ok(isAudited(operation) || audit === false || isHarmless(operation), title(operation));
    }
    const flagged = (flag: unknown) => changing.filter(({ audit }) => audit === flag).map((one) => one.operationId);
    assert.deepEqual(flagged('itself').toSorted(), signIns);
    assert.deepEqual(flagged(false).toSorted(), notAudited);
  });

  for (const operation of changing.filter((one) => !isHarmless(one) && !isPersonal(one))) {
    const expected = isAudited(operation) || signIns.includes(operation.operationId) ? 1 : 0;
    it(`${title(operation)} › ${expected === 1 ? 'leaves exactly one entry' : 'leaves none'}`, async () => {
      const requestId = `audit-${operation.operationId}`;
      const headers = { 'x-request-id': requestId };
      const answer = await app.call(operation.method, await addressOf(app, operation), operation.example, { headers });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      const entries = await entriesOf(requestId);
      assert.equal(entries.length, expected);
      for (const entry of entries) {
        assert.deepEqual(
          [entry.account_id, entry.operation, entry.method, entry.status, entry.summary],
          [app.accountId, operation.operationId, operation.method, answer.status, operation.summary],
        );
      }
    });
  }

  it('leaves one also where only a person can call it', async () => {
    for (const { operation, requestId } of await walkAsPerson(app)) {
      const expected = operation.method !== 'GET' && isAudited(operation) ? [operation.operationId] : [];
      assert.deepEqual(
        (await entriesOf(requestId)).map((entry) => entry.operation),
        expected,
        title(operation),
      );
    }
  });

  it('leaves none when it is refused', async () => {
    const headers = { 'x-request-id': 'refused' };
    for (const operation of changing.filter(isAudited)) {
      const { method, url, example } = operation;
      const address = url.replaceAll(/:\w+/g, '01890000-0000-7000-8000-000000000000');
      const answer = await app.call(method, address, example, { token: 'nobody', headers });
      assert.equal(answer.status, 401, title(operation));
    }
    assert.deepEqual(await entriesOf('refused'), []);
  });
});
