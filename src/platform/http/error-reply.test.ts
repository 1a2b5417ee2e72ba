import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { noteCrowding, noteDatabaseError, noteUnknownOutcome } from '../db/connect/failure.ts';
import { makeLog } from '../log.ts';
import { asApiError } from './error-reply.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('404 for an id in the path of whatever length', async () => {
  for (const length of [1, 37, 300, 301, 5_000]) {
    const { status, headers, body } = await app.call('GET', `/v2/chatapp/chat-intros/${'x'.repeat(length)}/`);
    assert.deepEqual([status, body], [404, { detail: 'Not found.', code: 'not_found' }], `${length} characters`);
    assert.ok(headers['x-request-id']);
  }
});

describe('trouble that is not the caller’s', () => {
  const log = makeLog({ level: 'silent', pretty: false });
  const answerTo = (error: unknown, method = 'POST') => {
    const known = asApiError(error, { method, id: '1', headers: {} } as FastifyRequest, log);
    return known && [known.status, known.code, known.headers['retry-after']];
  };
  const cut = (note: (error: Error) => void = () => {}): Error => {
    const error = new Error('Connection terminated unexpectedly');
    noteDatabaseError(error);
    note(error);
    return error;
  };
  const ofDatabase = (code: string) => Object.assign(new pg.DatabaseError('In words.', 0, 'error'), { code });
  const ofSystem = (code: string) => Object.assign(new Error(`${code}: in words`), { code });

  it('503 unknown_outcome where the connection broke as something was committed, unless it was only read', () => {
    assert.deepEqual(answerTo(cut(noteUnknownOutcome)), [503, 'unknown_outcome', '1']);
    assert.deepEqual(answerTo(cut(noteUnknownOutcome), 'GET'), [503, 'unavailable', '1']);
    assert.deepEqual(answerTo(cut()), [503, 'unavailable', '1']);
  });

  it('503 disk_full, whether the database or a file had no room', () => {
    // What comes from a thread has lost its code.
    const errors = [ofDatabase('53100'), ofSystem('ENOSPC'), ofSystem('EDQUOT'), new Error('ENOSPC: no space left')];
    for (const error of errors) assert.deepEqual(answerTo(error), [503, 'disk_full', '30'], error.message);
  });

  it('503 busy where there is no connection, or a statement was waited for long enough', () => {
    assert.deepEqual(answerTo(ofDatabase('53300')), [503, 'busy', '2']);
    assert.deepEqual(answerTo(cut(noteCrowding)), [503, 'busy', '2']);
    for (const code of ['57014', '55P03', '40P01'])
      assert.deepEqual(answerTo(ofDatabase(code)), [503, 'busy', '5'], code);
  });

  it('nothing else is made of what nobody foresaw', () => {
    for (const error of [new Error('ENOSPCX'), ofSystem('ECONNRESET'), ofDatabase('42601')])
      assert.equal(answerTo(error), undefined);
  });
});
