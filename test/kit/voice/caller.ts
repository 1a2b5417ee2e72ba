import assert from 'node:assert/strict';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../src/deps.ts';
import { findSound, speak, tone } from '../../../src/domains/audio/index.ts';
import { until } from '../until.ts';

/** People answer, hang up or let it ring as the last digits of their number say: see `carriers/sandbox/voice/behaviours.ts`. */
export const people = {
  answers: '+447700909050',
  busy: '+447700909051',
  absent: '+447700909052',
  refuses: '+447700909053',
  short: '+447700909054',
  leavesVoicemail: '+447700909055',
  late: '+447700909056',
  unreachable: '+447700909057',
  breaks: '+447700909059',
  caller: '+447700900123',
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
type Body = any;

/** What is needed of a test's application. */
interface Stage {
  app: FastifyInstance;
  deps: Deps;
  token: string;
  accountId: string;
  call(method: 'GET' | 'POST', url: string, body?: unknown): Promise<{ status: number; body: Body }>;
}

/** At least so many seconds: what happens between two steps takes a moment, and many seconds of a clock that runs fast. */
export function lasts(actual: number, seconds: number): void {
  assert.ok(actual >= seconds - 1, `${actual} is less than ${seconds}`);
}

/** A WAV of two channels is as long as its call says. */
export function holds(bytes: number, seconds: number): void {
  assert.ok(Math.abs((bytes - 58) / 16_000 - seconds) <= 1, `${bytes} bytes are not ${seconds} seconds`);
}

export const soundSeconds = 4;

/** Frames of MPEG-1 Layer III, 32 kbit/s at 32 kHz, mono: 144 bytes for 36 ms each, in which nothing is to be heard. */
function silentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(144);
  frame.set([0xff, 0xfb, 0x18, 0xc0]);
  return Buffer.concat(Array(Math.round(seconds / 0.036)).fill(frame));
}

/** What a test does with calls. */
export function makeCaller(app: Stage) {
  let last = 0;
  let ended: { uuid: string; started: string } = { uuid: '', started: '' };
  const get = async (url: string): Promise<Body> => {
    const { status, body } = await app.call('GET', url);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const call = (uuid: string): Promise<Body> => get(`/v2/voice/calls/${uuid}/`);
  return {
    get,
    call,
    /** A number of one's own, with these settings. */
    async number(settings: object = {}): Promise<string> {
      const number = `44207946${String(last++ + 100).padStart(4, '0')}`;
      const { status, body } = await app.call('POST', '/v2/number/', { number, ...settings });
      assert.equal(status, 201, JSON.stringify(body));
      return body.number;
    },
    async dials(to: string, more: object = {}): Promise<string> {
      const { status, body } = await app.call('POST', '/v2/sandbox/calls/', { from: people.caller, to, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    },
    async starts(request: object): Promise<string> {
      const { status, body } = await app.call('POST', '/v2/voice/calls/', request);
      assert.deepEqual([status, body.status], [201, 'QUEUED'], JSON.stringify(body));
      return body.uuid;
    },
    reaches: (uuid: string, status: string): Promise<Body> =>
      until(
        () => call(uuid),
        (found) => found.status === status,
      ),
    async ends(uuid: string): Promise<Body> {
      ended = await until(
        () => call(uuid),
        (found) => found.status === 'ENDED',
      );
      return ended;
    },
    /** The steps of a call, oldest first. */
    async steps(uuid: string): Promise<{ event: string; data: Body }[]> {
      return (await get(`/v2/logs/voice-calls/?call=${uuid}&ordering=created&page_size=200`)).results;
    },
    /**
     * What a phone went through in the call that ended last; that is written a moment after the call is. A caller's side has the
     * id of the call, and the other sides begin after it.
     */
    async phone(number: string): Promise<Body> {
      const isOver = (leg: Body): boolean =>
        leg.state === 'ENDED' && (leg.uuid === ended.uuid || leg.started >= ended.started);
      const page = await until(
        () => get(`/v2/sandbox/calls/?number=${encodeURIComponent(number)}`),
        ({ results }) => results.length > 0 && isOver(results[0]),
      );
      return page.results[0];
    },
    /** Under what name a phone hears an audio file, a text, or the tone before a voicemail. */
    async sound(what: { file: string } | { text: string } | 'tone'): Promise<string> {
      if (what === 'tone') return path.basename((await tone(app.deps, 'voicemail')).path);
      const sound =
        'file' in what ? await findSound(app.deps, app.accountId, what.file) : await speak(app.deps, what.text);
      return path.basename(sound!.path);
    },
    /** An audio file of four seconds. */
    async upload(name: string): Promise<void> {
      const form = [
        `--part\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n`,
        `--part\r\nContent-Disposition: form-data; name="file"; filename="${name}.mp3"\r\n\r\n`,
        silentMp3(soundSeconds),
        '\r\n--part--\r\n',
      ];
      const answer = await app.app.inject({
        method: 'POST',
        url: '/v2/audio-files/',
        headers: { authorization: `Token ${app.token}`, 'content-type': 'multipart/form-data; boundary=part' },
        payload: Buffer.concat(form.map((part) => Buffer.from(part as string))),
      });
      assert.equal(answer.statusCode, 201, answer.body);
    },
    clock: async (move: { speed?: number; advance_seconds?: number }): Promise<void> => {
      assert.equal((await app.call('POST', '/v2/sandbox/clock/', move)).status, 200);
    },
  };
}
