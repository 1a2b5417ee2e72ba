import { Worker } from 'node:worker_threads';
import {
  type AnswerOf,
  type Command,
  type FromWorker,
  makeOutbox,
  type Request,
  type WorkerSettings,
} from './protocol.ts';

/** A worker thread as the main thread sees it. */
export interface MediaWorker {
  readonly isLost: boolean;
  /** Rejects with what the worker says against it, and when it dies. */
  ask<C extends Command>(command: C): Promise<AnswerOf<C>>;
  /** The same of a command that lasts: with a function that ends it. */
  begin<C extends Command>(command: C): { done: Promise<AnswerOf<C>>; stop(): void };
  /** Lets what is under way come to its end for a moment: recordings are then whole. */
  close(): Promise<void>;
}

export interface MediaWorkerOptions {
  settings: WorkerSettings;
  startThread?: (settings: WorkerSettings) => Worker;
  onEvent(event: Extract<FromWorker, { event: string }>): void;
  /** It died by itself. */
  onLost(error: Error): void;
}

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

const patienceMs = 3_000;

// Without the flags of this process: those of a test runner are none for a worker.
const start = (settings: WorkerSettings): Worker =>
  new Worker(new URL('./thread/worker.ts', import.meta.url), { workerData: settings, execArgv: [], name: 'media' });

export function startMediaWorker(options: MediaWorkerOptions): MediaWorker {
  const { settings, startThread = start, onEvent, onLost } = options;
  const thread = startThread(settings);
  const send = makeOutbox<Request>((requests) => thread.postMessage(requests));
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lost: Error | undefined;
  let closing = false;
  let onIdle: (() => void) | undefined;

  function lose(error: Error): void {
    if (lost) return;
    lost = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    onIdle?.();
    if (!closing) onLost(error);
  }

  thread.on('error', (error: Error) => lose(new Error(`The media thread failed: ${error.message}`, { cause: error })));
  thread.on('exit', () => lose(new Error('The media thread ended.')));
  thread.on('message', (messages: FromWorker[]) => {
    for (const message of messages) receive(message);
  });

  function receive(message: FromWorker): void {
    if ('event' in message) return void onEvent(message);
    const asked = waiting.get(message.answer);
    waiting.delete(message.answer);
    if ('error' in message) asked?.reject(Object.assign(new Error(message.error), { code: message.code }));
    else asked?.resolve(message.value as never);
    if (waiting.size === 0) onIdle?.();
  }

  function post<C extends Command>(command: C): { id: number; done: Promise<AnswerOf<C>> } {
    const id = ++lastId;
    if (lost) return { id, done: Promise.reject(lost) };
    const done = new Promise<AnswerOf<C>>((resolve, reject) => waiting.set(id, { resolve, reject }));
    send({ ...command, id });
    return { id, done };
  }

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.size === 0) return resolve();
      const timer = setTimeout(resolve, patienceMs);
      onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    get isLost() {
      return lost !== undefined;
    },
    ask: (command) => post(command).done,
    begin(command) {
      const { id, done } = post(command);
      return { done, stop: () => void post({ do: 'stop', command: id }).done.catch(() => {}) };
    },
    async close() {
      closing = true;
      await idle();
      await thread.terminate();
    },
  };
}
