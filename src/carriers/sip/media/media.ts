import type { Worker } from 'node:worker_threads';
import type { ToneRegion } from '../../../platform/audio/tones.ts';
import { mendUlawWav } from '../../../platform/audio/wav.ts';
import type { Recording, RecordOptions } from '../../ports/voice.ts';
import { type MediaSession, makeSession, type SessionHandle } from './media-session.ts';
import { type MediaWorker, startMediaWorker } from './media-worker.ts';
import { makePorts } from './ports.ts';
import type { MediaStats, WorkerSettings } from './protocol.ts';

export interface MediaOptions {
  /** Of the UDP ports that may be used, the first and the last. Two for each person in a call. */
  ports: readonly [number, number];
  /** Each carries some hundred calls; `bench` measures how many. */
  threads: number;
  /** The address to bind, as it stands in the SDP or 0.0.0.0. */
  host: string;
  region?: ToneRegion;
  /** How it went at a port that is closed now. */
  onStats?: (port: number, stats: MediaStats) => void;
  /** For tests that end one. */
  startThread?: (settings: WorkerSettings) => Worker;
}

/** The speech of all calls of this process, in threads of its own. */
export interface Media {
  /**
   * A port for one person. Those who will hear each other have to be in one thread: give the same `near` for all legs of a
   * call (what they have in common from the beginning is which of our numbers it is about).
   */
  open(options?: { near?: string }): Promise<MediaSession>;
  /** Lets two hear each other, and nobody else, until one is closed; keys go through, too. */
  bridge(one: MediaSession, other: MediaSession): Promise<void>;
  /** One channel for each person in this order: what that person says. What we play is in none. */
  record(sessions: MediaSession[], options: RecordOptions): Recording;
  sessions(): number;
  /** Ends everything; recordings are whole. */
  close(): Promise<void>;
}

export class PortsExhausted extends Error {
  override name = 'PortsExhausted';
}

/** A thread that lives shorter than that is not started again until it is needed. */
const shortLifeMs = 1_000;

export function makeMedia(options: MediaOptions): Media {
  const { ports: range, threads, host, region = 'GB', onStats, startThread } = options;
  const ports = makePorts(range);
  const live = new Map<number, SessionHandle>();
  const handles = new WeakMap<MediaSession, SessionHandle>();
  const workers: (MediaWorker | undefined)[] = Array.from({ length: Math.max(1, threads) });
  /** Sessions of each. */
  const busy = workers.map(() => 0);
  /** In which thread those of one `near` are. */
  const places = new Map<string, { slot: number; sessions: number }>();
  let lastId = 0;
  let closed = false;

  function startWorker(slot: number): MediaWorker {
    const startedMs = performance.now();
    const worker = startMediaWorker({
      settings: { region },
      ...(startThread && { startThread }),
      onEvent: (event) => live.get(event.session)?.take(event),
      onLost(error) {
        workers[slot] = undefined;
        if (!closed && performance.now() - startedMs > shortLifeMs) startWorker(slot);
        for (const one of [...live.values()]) if (one.worker === worker) one.lose(error);
      },
    });
    workers[slot] = worker;
    return worker;
  }
  for (const slot of workers.keys()) startWorker(slot);

  /** Where a session goes, and how to leave it again. */
  function findPlace(near: string | undefined): { slot: number; leave(): void } {
    const leastBusy = busy.indexOf(Math.min(...busy));
    const place = (near !== undefined && places.get(near)) || { slot: leastBusy, sessions: 0 };
    if (near !== undefined) places.set(near, place);
    place.sessions++;
    busy[place.slot]!++;
    return {
      slot: place.slot,
      leave() {
        busy[place.slot]!--;
        if (--place.sessions === 0 && near !== undefined) places.delete(near);
      },
    };
  }

  /** Binds a port that is free on this machine, too: other processes may have part of the range. */
  async function bind(worker: MediaWorker, session: number): Promise<number> {
    const elsewhere: number[] = [];
    try {
      for (;;) {
        const port = ports.take();
        if (port === undefined) throw new PortsExhausted(`All RTP ports of ${range.join('-')} are in use.`);
        try {
          await worker.ask({ do: 'open', session, host, port });
          return port;
        } catch (error) {
          elsewhere.push(port);
          if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        }
      }
    } finally {
      for (const port of elsewhere) ports.release(port);
    }
  }

  async function open(near: string | undefined): Promise<MediaSession> {
    if (closed) throw new Error('The media is closed.');
    const { slot, leave } = findPlace(near);
    const worker = workers[slot] ?? startWorker(slot);
    const id = ++lastId;
    try {
      const port = await bind(worker, id);
      const one = makeSession({
        id,
        worker,
        local: { address: host, port },
        onOver() {
          live.delete(id);
          ports.release(port);
          leave();
        },
        onStats: (stats) => onStats?.(port, stats),
      });
      live.set(id, one);
      handles.set(one.session, one);
      return one.session;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Those that are not over. */
  const present = (sessions: MediaSession[]): SessionHandle[] =>
    sessions.map((session) => handles.get(session)!).filter((one) => live.has(one.id));

  return {
    open: ({ near } = {}) => open(near),
    async bridge(one, other) {
      const [first, second] = present([one, other]);
      if (!first || !second) return;
      if (first.worker !== second.worker) throw new Error('Sessions of one call need the same `near`.');
      await first.worker.ask({ do: 'bridge', one: first.id, other: second.id }).catch(() => {});
    },
    record(sessions, { path, mostMs, finishKey }) {
      const there = present(sessions);
      if (there.length < sessions.length) return nothingRecorded();
      const [first] = there;
      if (there.some(({ worker }) => worker !== first!.worker)) throw new Error('Sessions need the same `near`.');
      const { done, stop } = first!.worker.begin({
        do: 'record',
        sessions: there.map(({ id }) => id),
        path,
        ...(mostMs !== undefined && { mostMs }),
        ...(finishKey !== undefined && { finishKey }),
      });
      // What a thread that died has recorded is on the disk.
      const ended = done.catch(async (error) => {
        const mended = first!.worker.isLost ? await mendUlawWav(path).catch(() => undefined) : undefined;
        if (!mended) throw error;
        return mended;
      });
      // Whoever asked hears of a failure from `stop` or `ended`.
      ended.catch(() => {});
      return {
        ended,
        stop() {
          stop();
          return ended;
        },
      };
    },
    sessions: () => live.size,
    async close() {
      closed = true;
      const ends = [...live.values()].map(({ session }) => session.close());
      // A thread that does not answer is ended all the same.
      await Promise.all(workers.map((worker) => worker?.close()));
      await Promise.all(ends);
    },
  };
}

function nothingRecorded(): Recording {
  const ended = Promise.resolve({ seconds: 0 });
  return { ended, stop: () => ended };
}
