import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Api, Unreachable } from './api.ts';

export interface TailOptions {
  after?: string;
  kind?: string[];
  count?: number;
  json?: boolean;
}

interface TimelineEvent {
  uuid: string;
  kind: string;
  subject_type: string;
  subject: string;
  data: Record<string, unknown>;
  at: string;
}

/** Shows what happens in the account until it is interrupted. A connection that breaks is taken up where it was left. */
export async function tail(
  api: Api,
  { after, kind = [], count = Number.POSITIVE_INFINITY, json }: TailOptions,
): Promise<void> {
  const end = new AbortController();
  process.once('SIGINT', () => end.abort());
  process.once('SIGTERM', () => end.abort());
  // Whoever reads our lines has had enough (`parley tail | head`).
  process.stdout.once('error', () => end.abort());
  let [last, left, wasOpen] = [after, count, false];
  while (!end.signal.aborted) {
    try {
      const answer = await api.open('/v2/events/stream/', last ? { 'last-event-id': last } : {}, end.signal);
      console.error(wasOpen ? 'Listening again.' : 'Listening; Ctrl-C ends it.');
      wasOpen = true;
      for await (const { id, data } of eventsIn(answer.body!)) {
        last = id;
        const event = JSON.parse(data) as TimelineEvent;
        if (kind.length > 0 && !kind.some((start) => event.kind.startsWith(start))) continue;
        console.log(json ? data : lineOf(event));
        if (--left <= 0) return end.abort();
      }
    } catch (error) {
      if (end.signal.aborted) return;
      // Refusals are final; so is a server that was never there.
      if (!isBreak(error) || !wasOpen) throw error;
    }
    console.error('The connection broke; trying again.');
    await sleep(1000, undefined, { signal: end.signal }).catch(() => {});
  }
}

/** `fetch` says of a connection that broke in the middle no more than that it is a TypeError. */
const isBreak = (error: unknown): boolean => error instanceof Unreachable || error instanceof TypeError;

const colours: [pattern: RegExp, colour: Parameters<typeof styleText>[0]][] = [
  [/\.(failed|problem|disabled|rejected|unknown)$/, 'red'],
  [/\.(delivered|read|connected|assigned|approved)$/, 'green'],
  [/\.(queued|created|sent|started)$/, 'cyan'],
];

function lineOf({ at, kind, subject_type, subject, data }: TimelineEvent): string {
  const colour = colours.find(([pattern]) => pattern.test(kind))?.[1] ?? 'yellow';
  const facts = Object.entries(data).map(([name, value]) => `${name}=${printable(value)}`);
  // styleText leaves colours away where there is no terminal, and where NO_COLOR says so.
  return `${styleText('dim', at.slice(11, 23))}  ${styleText(colour, kind.padEnd(26))}  ${subject_type} ${subject}  ${styleText('dim', facts.join(' '))}`.trimEnd();
}

/** Texts come from strangers: JSON spells out control characters, but for those above ASCII that terminals obey too. */
const printable = (value: unknown): string => JSON.stringify(value).replace(/[\u007f-\u009f]/g, '\ufffd');

export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

/** Reads a stream of server-sent events (WHATWG HTML, 9.2.6), as far as ours go: comments and `retry` are passed over. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let text = '';
  for await (const chunk of body.pipeThrough(
    new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const frames = text.split(/\r?\n\r?\n/);
    text = frames.pop()!;
    for (const frame of frames) {
      const fields = frame.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s) as [string, string?]);
      const field = (name: string) => fields.filter(([key]) => key === name).map(([, value = '']) => value);
      const data = field('data');
      if (data.length > 0)
        yield { event: field('event').at(-1) ?? 'message', id: field('id').at(-1) ?? '', data: data.join('\n') };
    }
  }
}
