import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noteDatabaseError } from '../db/connect/failure.ts';
import { makeLog } from '../log.ts';
import { untilStored } from './retry.ts';

const log = makeLog({ level: 'silent', pretty: false });
const away = (): Error => {
  const error = new Error('Connection terminated unexpectedly');
  noteDatabaseError(error);
  return error;
};

describe('What cannot be done again', () => {
  /** Fails so often, and answers how often it was tried. */
  const tries = async (failures: number, error: () => Error, ending = new AbortController()): Promise<number> => {
    let count = 0;
    const store = async (): Promise<void> => {
      count++;
      if (count > failures) return;
      if (count === 200) ending.abort();
      throw error();
    };
    await untilStored(log, ending.signal, store, () => 0).catch((thrown) => {
      if (count <= failures) throw Object.assign(thrown, { count });
    });
    return count;
  };

  it('is tried for as long as the database is away', async () => {
    assert.equal(await tries(150, away), 151);
  });

  it('is given up when the process ends', async () => {
    await assert.rejects(tries(1_000, away), { count: 200 });
  });

  it('is given up when the database keeps refusing it', async () => {
    await assert.rejects(
      tries(1_000, () => new Error('It is wrong.')),
      { count: 10, message: 'It is wrong.' },
    );
  });
});
