import { Worker } from 'node:worker_threads';

/** A thread for long computations: one task at a time, in their order, so that the event loop goes on meanwhile. */
export interface Thread<Task, Result> {
  /** Rejects with what the thread threw, when it dies, and when it takes too long. */
  run(task: Task): Promise<Result>;
  /** Tasks that are not done. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** What a thread answers to each task. `refusal`: the task was understood, and cannot be done. */
export type FromThread<Result> = { value: Result } | { refusal: string };

/** Something is wrong with what was handed in; the sentence says what. */
export class Refusal extends Error {
  override name = 'Refusal';
}

export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

export interface ThreadOptions {
  /** A task that takes longer is given up, and its thread with it. */
  mostMs: number;
  /** A thread that had nothing to do for so long is ended: it holds tens of megabytes. */
  idleMs?: number;
}

export function makeThread<Task, Result>(file: URL, options: ThreadOptions): Thread<Task, Result> {
  const { mostMs, idleMs = 60_000 } = options;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  function start(): Worker {
    // Without the flags of this process: those of a test runner are none for a thread.
    const started = new Worker(file, { execArgv: [], stdout: true, stderr: true });
    // Decoders complain there of what callers hand in; what ends a thread comes as its error.
    started.stdout.resume();
    started.stderr.resume();
    const forget = (): void => {
      if (thread === started) thread = undefined;
    };
    started.on('error', forget).on('exit', forget);
    return started;
  }

  function end(): Promise<number> | undefined {
    const ending = thread?.terminate();
    thread = undefined;
    return ending;
  }

  function runNow(task: Task): Promise<Result> {
    if (closed) return Promise.reject(new Error('The thread is closed.'));
    clearTimeout(idle);
    thread ??= start();
    const running = thread;
    running.ref();
    return new Promise<Result>((resolve, reject) => {
      const settle = (result: () => void): void => {
        clearTimeout(limit);
        running.off('message', hear).off('error', reject).off('exit', lose);
        running.unref();
        idle = setTimeout(end, idleMs).unref();
        result();
      };
      const hear = (answer: FromThread<Result>): void =>
        settle(() => ('value' in answer ? resolve(answer.value) : reject(new Refusal(answer.refusal))));
      const lose = (): void => settle(() => reject(new Error('The thread ended.')));
      const limit = setTimeout(() => {
        void end();
        settle(() => reject(new TookTooLong(`It took longer than ${mostMs} ms.`)));
      }, mostMs);
      // A failed thread tells its error first, then that it ended.
      running.on('message', hear).on('error', reject).on('exit', lose);
      running.postMessage(task);
    });
  }

  return {
    run(task) {
      waiting++;
      const result = last.then(() => runNow(task)).finally(() => waiting--);
      last = result.catch(() => {});
      return result;
    },
    get waiting() {
      return waiting;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
