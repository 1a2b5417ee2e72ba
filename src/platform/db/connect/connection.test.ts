import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionOf, hostsOf, sessionWanted, withHost } from './connection.ts';

const none = { DATABASE_DIRECT_URL: '', DATABASE_READ_URL: '' };

describe('The servers of a URL', () => {
  it('are told apart by commas, each with its own port', () => {
    assert.deepEqual(hostsOf('postgresql://me:p,w@one,two:5433,[::1]:5434/parley?sslmode=require'), [
      { host: 'one', port: 5432 },
      { host: 'two', port: 5433 },
      { host: '::1', port: 5434 },
    ]);
    assert.deepEqual(hostsOf('postgres://%2Frun%2Fpostgresql,two/x')[0], { host: '/run/postgresql', port: 5432 });
  });

  it('are tried one at a time, with the rest of the URL', () => {
    const url = 'postgresql://me:secret@one,two/parley?target_session_attrs=read-write&sslmode=require';
    assert.equal(withHost(url, { host: 'two', port: 5433 }), 'postgresql://me:secret@two:5433/parley?sslmode=require');
    assert.equal(
      withHost('postgres://one,two?target_session_attrs=any', { host: '::1', port: 1 }),
      'postgres://[::1]:1',
    );
    assert.equal(sessionWanted(url), 'read-write');
  });

  it('of which only the standbys are wanted are refused, since Parley writes', () => {
    const url = (wanted: string) => ({ ...none, DATABASE_URL: `postgres://a,b/x?target_session_attrs=${wanted}` });
    assert.throws(() => connectionOf(url('standby')), { name: 'StartError', message: /^DATABASE_URL: .*read-write/ });
    for (const wanted of ['any', 'read-write', 'primary']) assert.ok(connectionOf(url(wanted)).hosts);
  });

  it('are one, as it was written, unless there are several', () => {
    const DATABASE_URL = 'postgres://me@localhost:5432/x?host=%2Ftmp';
    assert.deepEqual(connectionOf({ ...none, DATABASE_URL }), { connectionString: DATABASE_URL });
  });
});
