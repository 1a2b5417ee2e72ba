import type { Agent, Dispatcher } from 'undici';

/** No answer came, or not a whole one. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** Whether the request may have been received: it was being written when things went wrong, or later. */
  readonly reached: boolean;

  constructor(description: string, reached: boolean, cause?: unknown) {
    super(description, { cause });
    this.reached = reached;
  }
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Answers are JSON; the largest are pages of templates. */
const mostBytes = 16 * 1024 * 1024;

/**
 * One request and its whole answer within a time, however the other side behaves. It is told apart whether the request can have been received, because a
 * message that was not may be sent again; that is why this speaks to the dispatcher and not to `request`, which hides it.
 */
export function exchange(agent: Agent, request: Dispatcher.DispatchOptions, limitMs: number): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let written = false;
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;
    const answer: RawAnswer = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (description: string, cause?: Error): void => {
      ended = true;
      clearTimeout(timer);
      reject(new NoAnswer(description, written, cause));
    };
    const timer = setTimeout(() => {
      fail(`No answer within ${limitMs / 1000} seconds.`);
      controller?.abort(new Error('Too late.'));
    }, limitMs);

    agent.dispatch(request, {
      // There is a connection now, and the first byte is about to be written to it.
      onRequestStart(started) {
        if (ended) return started.abort(new Error('Too late.'));
        controller = started;
        written = true;
      },
      onResponseStart(_controller, status, headers) {
        answer.status = status;
        answer.headers = headers;
      },
      onResponseData(current, chunk) {
        length += chunk.length;
        if (length <= mostBytes && !ended) return void chunks.push(chunk);
        if (!ended) fail('The answer is too large.');
        current.abort(new Error('Too large.'));
      },
      onResponseEnd() {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        resolve({ ...answer, bytes: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        if (!ended) fail(sentenceOf(error), error);
      },
    });
  });
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection broke.',
  EPIPE: 'The connection broke.',
  UND_ERR_SOCKET: 'The connection broke.',
  ENOTFOUND: 'The name of the Cloud API has no address.',
  EAI_AGAIN: 'The name of the Cloud API could not be looked up.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about in time.',
};

/** In our words where we have them: the library's may quote addresses, and never helped an operator. */
export function sentenceOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return sentences[code] ?? `No answer came${code && ` (${code})`}.`;
}
