import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { type ChainReport, checkChain, cutChain, sealAuditEntries } from '../../../platform/http/audit-chain.ts';

const log = '/v2/audit-log/';

describe('The chain of the audit log', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const act = (count: number) =>
    Promise.all(Array.from({ length: count }, () => app.call('PATCH', '/v2/account/', {})));
  const seal = (accountId = app.accountId) => sealAuditEntries(app.deps.db, app.deps.vault, accountId);
  const verify = async (query = '') => (await app.call('GET', `${log}verify/${query}`)).body;
  const entries = async () => (await app.call('GET', `${log}?ordering=created&page_size=200`)).body.results;
  /** What somebody with psql does, and what is found then; it is undone after. */
  const tampered = async (statement: ReturnType<typeof sql>) => {
    const undo = new Error('undo');
    let found: ChainReport | undefined;
    await app.deps.db
      .transaction()
      .execute(async (db) => {
        await statement.execute(db);
        found = await checkChain(db, app.deps.vault, app.accountId, {});
        throw undo;
      })
      .catch((error) => assert.equal(error, undo));
    return [found!.status, found!.problem_sequence, found!.problem];
  };

  test('numbers entries without a gap, each with a hash that anybody can compute from an export', async () => {
    await act(5);
    assert.deepEqual([(await verify()).status, (await verify()).unsealed], ['INTACT', 5]);
    await Promise.all([seal(), seal(), seal()]);
    await act(3);
    await seal();
    const all = await entries();
    const sequences = all
      .map(({ sequence }: { sequence: number }) => sequence)
      .toSorted((a: number, b: number) => a - b);
    assert.deepEqual(sequences, [1, 2, 3, 4, 5, 6, 7, 8]);
    let previous = '';
    for (const one of all.toSorted((a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence)) {
      const { actor } = one;
      const fields = [
        ...[previous, one.sequence, app.accountId, one.uuid, one.created, actor.type, actor.uuid, actor.name],
        ...[one.operation, one.summary, one.method, one.path, one.status, one.address, one.request_id],
      ];
      assert.equal(one.hash, hash('sha256', JSON.stringify(fields), 'hex'));
      previous = one.hash;
    }
    const report = await verify();
    assert.deepEqual(
      [report.status, report.checked, report.last_sequence, report.last_hash, report.unsealed, report.complete],
      ['INTACT', 8, 8, previous, 0, true],
    );
    assert.deepEqual([(await verify('?after=5')).checked, (await verify('?after=99')).status], [3, 'BROKEN']);
    assert.equal((await app.call('GET', `${log}verify/?after=x`)).status, 400);
  });

  test('shows what was changed, removed, cut off or made up', async () => {
    const one = sql`account_id = ${app.accountId}`;
    assert.deepEqual(
      await tampered(sql`update audit_log set actor_name = 'Somebody else' where ${one} and sequence = 3`),
      ['BROKEN', 3, 'An entry was changed.'],
    );
    assert.deepEqual(await tampered(sql`delete from audit_log where ${one} and sequence = 4`), [
      'BROKEN',
      4,
      'An entry is missing.',
    ]);
    assert.deepEqual(await tampered(sql`delete from audit_log where ${one} and sequence > 6`), [
      'BROKEN',
      7,
      'The newest entries are missing.',
    ]);
    const cut = sql`
      with gone as (delete from audit_log where ${one} and sequence > 6)
      update audit_chains set sequence = 6, hash = (select hash from audit_log where ${one} and sequence = 6) where ${one}`;
    assert.deepEqual(await tampered(cut), [
      'BROKEN',
      null,
      'The end of the chain was not written by a server that has the key.',
    ]);
    assert.equal((await verify()).status, 'INTACT');
  });

  test('stays whole when old entries go, and is each account’s own', async () => {
    const { db, vault } = app.deps;
    const before = (await entries()).find(({ sequence }: { sequence: number }) => sequence === 4).uuid;
    assert.equal(await cutChain(db, vault, app.accountId, { before, most: 100 }), 3);
    const report = await verify();
    assert.deepEqual([report.status, report.first_sequence, report.last_sequence], ['INTACT', 4, 8]);
    const { rows } = await sql<{ account_id: string }>`select account_id from audit_chains`.execute(db);
    assert.deepEqual(rows, [{ account_id: app.accountId }]);
    const other = await app.call('GET', `${log}verify/`, undefined, { token: app.otherToken });
    assert.deepEqual([other.body.status, other.body.checked], ['INTACT', 0]);
  });

  test('has reads of content where the account wants them, and of nothing else', async () => {
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEXT',
      text: { body: 'x' },
    };
    const { uuid } = (await app.call('POST', '/v2/chatapp/messages/', message)).body;
    const read = async () => {
      assert.equal((await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).status, 200);
      const csv = await app.call('GET', '/v2/chatapp/messages/', undefined, { headers: { accept: 'text/csv' } });
      assert.equal(csv.status, 200);
      assert.equal((await app.call('GET', '/v2/people/+447700900123/')).status, 200);
      assert.equal((await app.call('GET', '/v2/chatapp/messages/')).status, 200);
      assert.equal((await app.call('GET', `/v2/chatapp/messages/${app.accountId}/`)).status, 404);
    };
    const seen = async () => {
      const reads = (await entries()).filter(({ method }: { method: string }) => method === 'GET');
      return reads.map(({ operation, path }: { operation: string; path: string }) => [operation, path]);
    };
    await read();
    assert.deepEqual(await seen(), []);
    assert.equal((await app.call('PATCH', '/v2/account/', { audit_reads: true })).body.audit_reads, true);
    await read();
    assert.deepEqual(await seen(), [
      ['getMessage', `/v2/chatapp/messages/${uuid}/`],
      ['listMessages', '/v2/chatapp/messages/'],
      ['getPerson', '/v2/people/…/'],
    ]);
  });

  test('is verified by whoever may read the audit log, and by nobody else', async () => {
    const statusFor = async (scope: string) => {
      const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: scope, scopes: [scope] })).body;
      const answers = [log, `${log}verify/`].map((url) => app.call('GET', url, undefined, { token }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    assert.deepEqual(await statusFor('audit:read'), [200, 200]);
    assert.deepEqual(await statusFor('account:read'), [200, 200]);
    assert.deepEqual(await statusFor('users:read'), [403, 403]);
  });
});
