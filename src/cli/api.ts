import { setTimeout as sleep } from 'node:timers/promises';
import { Complaint } from './terminal.ts';

export interface ApiOptions {
  url: string;
  token?: string;
}

export interface CallOptions {
  /** It may be done twice without harm: a server that is away or busy is asked again. */
  repeatable?: boolean;
  headers?: Record<string, string>;
}

/** A server's API, as the commands use it. */
export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's, and the commands know it
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<any>;
  /** An answer that is read as it comes. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
}

const mostTries = 6;
/** No request takes so long; a server that never answers is left. */
const longestMs = 120_000;

export function makeApi({ url, token }: ApiOptions): Api {
  if (!token) throw new Complaint('A token is needed: --token, or PARLEY_TOKEN in the environment.', 2);
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Complaint(`"${url}" is not an address such as http://127.0.0.1:8080.`, 2);
  const base = url.replace(/\/+$/, '');
  const authorization = `Token ${token}`;
  /** Whether it was there at all: one that never answered is not waited for. */
  let hasAnswered = false;

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const answer = await fetch(`${base}${path}`, init);
      hasAnswered = true;
      return answer;
    } catch (error) {
      if (init.signal?.aborted && (error as Error).name !== 'TimeoutError') throw error;
      throw new Unreachable(base, error as Error);
    }
  };

  return {
    async call(method, path, body, { repeatable = false, headers = {} } = {}) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = {
        method,
        headers: { authorization, ...json, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      for (let tries = 1; ; tries++) {
        const signal = AbortSignal.timeout(longestMs);
        const answer = await send(path, { ...init, signal }).catch((error: unknown) => {
          if (!(error instanceof Unreachable) || !repeatable || !hasAnswered || tries >= mostTries) throw error;
        });
        if (answer?.ok) return answer.status === 204 ? undefined : answer.json();
        const isBusy = answer === undefined || answer.status === 429 || answer.status === 503;
        if (answer && (!repeatable || !isBusy || tries >= mostTries)) throw await refusalOf(answer);
        await answer?.body?.cancel();
        await sleep(1000 * Math.min(Number(answer?.headers.get('retry-after')) || 2 ** tries / 4, 60));
      }
    },
    async open(path, headers, signal) {
      const answer = await send(path, { headers: { authorization, ...headers }, signal });
      if (!answer.ok) throw await refusalOf(answer);
      return answer;
    },
  };
}

/** Nobody answered; unlike a refusal, this may pass. */
export class Unreachable extends Complaint {
  constructor(base: string, error: Error) {
    const cause = (error.cause ?? error) as { code?: string; message?: string };
    const reason = cause.code === 'ECONNREFUSED' ? '' : ` (${cause.code ?? cause.message})`;
    super(`No Parley answers at ${base}${reason}. Start one with \`parley serve\`, or name another with --url.`, 2);
  }
}

/** The API's refusal in words: a sentence, or one line per field. */
async function refusalOf(answer: Response): Promise<Complaint> {
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Complaint(
      `The server answered ${answer.status} with something that is no JSON. Is this address a Parley?`,
    );
  }
  const { detail } = body as { detail?: unknown };
  if (typeof detail !== 'string') return new Complaint(fieldLines(body).join('\n'));
  return new Complaint(answer.status === 401 ? `${detail} Check --token or PARLEY_TOKEN.` : detail);
}

/** Errors by field, each with the way to it: `template.components.0.type: This field is required.` */
function fieldLines(errors: unknown, path = ''): string[] {
  if (typeof errors === 'string') return [path ? `${path}: ${errors}` : errors];
  if (typeof errors !== 'object' || errors === null) return [];
  const isLeaf = Array.isArray(errors) && typeof errors[0] === 'string';
  return Object.entries(errors).flatMap(([key, below]) => {
    const isPlain = isLeaf || key === 'non_field_errors';
    return fieldLines(below, isPlain ? path : [path, key].filter(Boolean).join('.'));
  });
}
