import type { Registry } from 'prom-client';
import type { Carriers } from './carriers/ports/carriers.ts';
import type { Caches } from './platform/caches.ts';
import type { Config } from './platform/config.ts';
import type { Listener } from './platform/db/connect/listener.ts';
import type { Db } from './platform/db/connect/pool.ts';
import type { Replica } from './platform/db/connect/replica.ts';
import type { SealedFiles } from './platform/files/sealed.ts';
import { routeFor } from './platform/http/route.ts';
import type { Log } from './platform/log.ts';
import type { Observer } from './platform/observe/observer.ts';
import type { Guards } from './platform/outbound/guard.ts';
import type { Passwords } from './platform/passwords.ts';
import type { Running } from './platform/process/stop-steps.ts';
import type { Queue, Task as TaskOf } from './platform/queue/queue.ts';
import type { Vault } from './platform/secrets.ts';
import type { Sounds } from './platform/speech/sounds.ts';
import type { Clock } from './platform/time/clock.ts';
import type { Batches } from './platform/work/batches.ts';
import type { Foreground } from './platform/work/foreground.ts';

/** What every part of the product is given. Built once, in `start.ts`, and passed down. */
export interface Deps {
  /** The database; inside a transaction, that transaction (`platform/within.ts`). */
  db: Db;
  /** A copy of it, for what only reads; see `onReplica`. */
  replica: Replica | undefined;
  queue: Queue;
  /** Gathers concurrent single calls into one statement. */
  batches: Batches;
  /** Work that somebody waits for; bulk work of other accounts gives way to it. */
  foreground: Foreground;
  /** Answers of look-ups that may be a few seconds old. */
  caches: Caches;
  listener: Listener;
  /** What runs in this process for others to find. */
  running: Running;
  carriers: Carriers;
  clock: Clock;
  vault: Vault;
  passwords: Passwords;
  /** Where we connect to when a tenant says so. */
  guards: Guards;
  /** Files of accounts: uploads, recordings, what jobs read and write. */
  files: SealedFiles;
  /** Speech, tones, and what MP3s sound like on a telephone. */
  sounds: Sounds;
  /** Who uses what a room is about to delete. */
  uses: Uses;
  /** Is told what safeguards refuse. */
  incidents: Incidents;
  log: Log;
  /** Of this process, served at `/metrics`. */
  metrics: Registry;
  /** Is told what happens, to count it; inside a transaction it hears at the commit. */
  observer: Observer;
  config: Config;
}

/** What upper floors use of lower ones, and what they do when that changes; see `uses.ts`. */
export interface Uses {
  /** Whether anything was sent from or is written to this chat-app account. */
  sender(db: Db, accountId: string, uuid: string): Promise<boolean>;
  /** In the transaction in which a chat-app account leaves its carrier: what that carrier knew and had in hand is no more. */
  senderMoves(deps: Deps, accountId: string, uuid: string): Promise<void>;
  /** In the transaction in which the time of an account's sandbox is moved: whatever waits for a moment may be due now. */
  clockMoves(db: Db, accountId: string): Promise<void>;
  /** Whether a number names this webhook. */
  webhook(db: Db, accountId: string, name: string): Promise<boolean>;
  /** By the file's uuid: numbers that name it, then routing configs that play it (their uuids); at most so many. */
  audioFiles(
    db: Db,
    accountId: string,
    files: { uuid: string; name: string }[],
    most: number,
  ): Promise<Map<string, string[]>>;
}

/** Writes down what safeguards refused, a moment later: the transaction of whoever is refused is rolled back. */
export interface Incidents {
  note(refused: Refused): void;
  /** Writes what is waiting. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

export interface Refused {
  accountId: string;
  rule: string;
  channel: string;
  /** What the rule is about: a country, a prefix, a range, a cap. */
  subject: string;
  sender: string;
  recipient: string;
  /** Of the hour or the day; what happens again in it is counted. */
  windowStart: Date;
}

export type Task<P extends object = object> = TaskOf<Deps, P>;

/** Declares an operation; see `platform/http/route.ts`. */
export const route = routeFor<Deps>();
