import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Log } from '../../log.ts';
import { within } from '../../time/pause.ts';
import { type Poll, startPoll } from '../../work/poll.ts';
import { DatabaseClient, markPrepared } from './client.ts';
import { type Connection, directOf } from './connection.ts';
import { noteLifeText, timelineText } from './lives.ts';
import { clientOptions, type Db } from './pool.ts';

/**
 * Tells other processes, and other parts of this one, that something changed: PostgreSQL's LISTEN/NOTIFY on one dedicated
 * session. A notice is a hint, never the truth: it may be lost while the session reconnects, so every listener also looks
 * by itself now and then, and hears `reconnected` after a gap.
 *
 * The same session holds this process's liveness lock (see `workerNumber`), which vanishes with the process however it ends; and it asks
 * whether there is something to do for those who look (`poll`).
 */
export interface Listener {
  /** Calls back with each notice of the topic, and with '' after a gap in which notices may have been missed. */
  on(topic: string, callback: (detail: string) => void): void;
  /** Hears another channel of PostgreSQL on the same session; also called back, with undefined, whenever it is heard anew. */
  hear(channel: string, callback: (payload: string | undefined) => void): Promise<void>;
  /** Gives notice outside any transaction: at once in this process, within 50 ms in the others (many become one). */
  signal(topic: string, detail: string): void;
  /** Calls everybody in this process back as after a gap, so that all look again. */
  wakeAll(): void;
  /** Calls back after a gap, before anybody hears of it, if a standby has taken over meanwhile. */
  onTakeover(callback: () => void): void;
  /** Asks once a second for all loops together whether they have something to do. */
  readonly poll: Poll;
  /** The number of this process, whose lock every other process sees until this one ends. */
  readonly workerNumber: number;
  close(): Promise<void>;
}

const channel = 'parley';
/**
 * How often the session is tested, and how long an answer may take: a server that vanished with its machine does not say so. A
 * server that is the only one gets longer, because it may just be slow.
 */
const tryPauseMs = 2_000;
const answerMs = { several: 5_000, one: 30_000 };
/** The longest pause between attempts to reconnect: shorter than the time after which a silent worker counts as dead. */
const longestPauseMs = 1000;
/** A notice takes a lock that all committing transactions share, so a busy process gives at most twenty a second. */
const signalDelayMs = 50;
/**
 * Settings for the poll. Its plan is made while tables may be empty, and must still be right when they are full. It does not wait
 * long for a locked table: notices would wait with it, and the session would seem not to answer.
 */
const pollSettingsText = 'set enable_seqscan = off; set jit = off; set lock_timeout = 2000';
/** First key of the two-part advisory locks that say "process n is alive". */
const livenessLock = 7_265_002;

/** SQL text: the numbers of the processes that are alive, as `worker`. */
export const aliveText = `
  select objid::bigint as worker from pg_locks
  where locktype = 'advisory' and classid = ${livenessLock} and granted
    and database = (select oid from pg_database where datname = current_database())`;

/** Sends a notice. Inside a transaction it goes out with the commit. */
export async function notify(db: Db, topic: string, detail = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic}:${detail}`})`.execute(db);
}

export async function startListener(
  connection: Connection,
  log: Log,
  { isDistributed = false } = {},
): Promise<Listener> {
  const callbacks = new Map<string, ((detail: string) => void)[]>();
  const foreign = new Map<string, (payload: string | undefined) => void>();
  const takeovers: (() => void)[] = [];
  let timeline: string | undefined;
  const workerNumber = 1 + Math.floor(Math.random() * 0x7ffffffe);
  const closing = new AbortController();
  let client: DatabaseClient;
  let isTried = false;
  const places = [connection, directOf(connection)];
  const several = places.flatMap((place) => ('hosts' in place && place.hosts ? [place.hosts] : []));
  let asked: Promise<unknown> = Promise.resolve();

  const open = async (): Promise<void> => {
    const session = new DatabaseClient({ ...clientOptions(directOf(connection)), keepAlive: true });
    client = session;
    session.on('notification', (notice) => {
      const { payload = '' } = notice;
      if (notice.channel !== channel) return foreign.get(notice.channel)?.(payload);
      const [topic = '', detail = ''] = payload.split(/:(.*)/s);
      call(topic, detail);
    });
    // A broken session reports that twice: as an error, and by ending. We act on its end.
    session.on('error', () => {});
    try {
      await session.connect();
      await session.query('select pg_advisory_lock($1, $2)', [livenessLock, workerNumber]);
      await session.query(noteLifeText);
      const { rows } = await session.query(`select ${timelineText} as timeline`);
      await session.query(`listen ${channel}`);
      await session.query(pollSettingsText);
      for (const name of foreign.keys()) await session.query(`listen ${session.escapeIdentifier(name)}`);
      const before = timeline;
      timeline = rows[0].timeline as string;
      if (before !== undefined && before !== timeline) for (const callback of takeovers) callback();
    } catch (error) {
      await session.end().catch(() => {});
      throw error;
    }
    const watch = setInterval(() => void tryOut(session), tryPauseMs).unref();
    // A session that could not be opened ends, too; whoever opened it tries again already.
    session.once('end', () => {
      clearInterval(watch);
      void reopen();
    });
  };

  /** Leaves a session that does not answer, and whatever leads to the same server, which may not be the primary any more. */
  const tryOut = async (session: DatabaseClient): Promise<void> => {
    if (isTried) return;
    isTried = true;
    let isAnswered = false;
    // A broken session is noticed by its end.
    const answer = ask(session, 'select').catch(() => {});
    const noted = answer.then(() => {
      isAnswered = true;
    });
    await within(answerMs[several.length > 0 ? 'several' : 'one'], noted);
    // If it was this process that stood still, the answer has arrived and was not read yet.
    await nextTurn();
    await nextTurn();
    isTried = false;
    if (isAnswered || closing.signal.aborted) return;
    log.warn('The database does not answer any more');
    session.cut();
    for (const hosts of several) hosts.doubt();
  };

  const reopen = async (): Promise<void> => {
    for (let delayMs = 100; !closing.signal.aborted; delayMs = Math.min(delayMs * 2, longestPauseMs)) {
      await sleep(delayMs, undefined, closing).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        await open();
        wakeAll();
        for (const callback of foreign.values()) callback(undefined);
        return;
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'Waiting for the database to come back');
      }
    }
  };

  /** Sends one statement after the other: the driver does not want the next one before the first is answered. */
  const ask = (session: DatabaseClient, text: string, values?: unknown[]): Promise<pg.QueryResult> => {
    const answer: Promise<pg.QueryResult> = asked.then(() => session.query(text, values));
    asked = answer.catch(() => {});
    return answer;
  };

  const call = (topic: string, detail: string): void => {
    for (const callback of callbacks.get(topic) ?? []) {
      try {
        callback(detail);
      } catch (error) {
        // A callback that fails must not keep the others, nor the session, from the notice.
        log.error({ err: error, topic }, 'A notice was not taken');
      }
    }
  };
  const wakeAll = (): void => {
    for (const topic of callbacks.keys()) call(topic, '');
  };
  const pending = new Set<string>();
  const flush = (): void => {
    const notices = [...pending].map((topic) => `${topic}:`);
    ask(client, 'select pg_notify($1, notice) from unnest($2::text[]) as notice', [channel, notices]).catch(() => {});
    pending.clear();
  };

  await open();
  let polled = { text: '', marked: '', count: 0 };
  const askPoll = async (text: string, isRepeated: boolean): Promise<boolean[]> => {
    if (isRepeated && polled.text !== text) {
      const count = polled.count + 1;
      polled = { text, marked: markPrepared(`poll-${count}`, text), count };
    }
    const { rows } = await ask(client, isRepeated ? polled.marked : text);
    return rows[0].answers;
  };
  // Citus cannot answer a question about several tables at once.
  const poll = startPoll(isDistributed ? undefined : askPoll);
  return {
    workerNumber,
    poll,
    wakeAll,
    async hear(name, callback) {
      foreign.set(name, callback);
      await ask(client, `listen ${client.escapeIdentifier(name)}`);
      callback(undefined);
    },
    signal(topic, detail) {
      call(topic, detail);
      if (pending.size === 0) setTimeout(flush, signalDelayMs).unref();
      pending.add(topic);
    },
    onTakeover: (callback) => void takeovers.push(callback),
    on(topic, callback) {
      callbacks.set(topic, [...(callbacks.get(topic) ?? []), callback]);
    },
    async close() {
      closing.abort();
      poll.stop();
      await client.end().catch(() => {});
    },
  };
}
