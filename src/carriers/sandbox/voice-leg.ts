import path from 'node:path';
import type { GatherOptions, Leg, LegEnd, Sound } from '../port.voice.ts';
import type { VoiceTime } from './voice-time.ts';

/** Something that was heard on a phone: a sound by the name of its file, `ringing`, or `talk`. */
export interface Heard {
  sound: string;
  seconds: number;
}

/** What a phone went through, written down when it is over. */
export interface LegStory {
  accountId: string;
  uuid: string;
  direction: 'INBOUND' | 'OUTBOUND';
  phone: string;
  other: string;
  heard: Heard[];
  pressed: string;
  startedMs: number;
  answeredMs: number | null;
  end: LegEnd;
  endedMs: number;
}

export interface Phone extends Pick<LegStory, 'accountId' | 'uuid' | 'direction' | 'phone' | 'other'> {
  /** What the person presses, each time they are asked. */
  digits: string[];
  /** How long they speak to a mailbox, should they come to one. */
  speaksMs: number | undefined;
}

/** A leg without sound: what would be heard takes its time and is written down. */
export interface SandboxLeg extends Leg {
  readonly phone: Phone;
  readonly over: AbortSignal;
  pickUp(): void;
  end(end: LegEnd): void;
  /** Notes that something is heard from now on; the returned function says until when. */
  hear(sound: string): () => void;
}

/** People think before they press the first key, and are quicker with the others. */
const firstKeyMs = 1000;
const nextKeyMs = 400;

export function makeLeg(phone: Phone, time: VoiceTime, onEnd: (story: LegStory) => void): SandboxLeg {
  const { accountId, uuid } = phone;
  const over = new AbortController();
  const ended = Promise.withResolvers<LegEnd>();
  const now = (): number => time.now(accountId);
  const startedMs = now();
  const heard: (Heard & { sinceMs: number; done: boolean })[] = [];
  let answeredMs: number | null = null;
  let pressed = '';

  const hear = (sound: string): (() => void) => {
    const one = { sound, seconds: 0, sinceMs: now(), done: false };
    heard.push(one);
    return () => {
      if (!one.done) one.seconds = (now() - one.sinceMs) / 1000;
      one.done = true;
    };
  };
  const end = (how: LegEnd): void => {
    if (over.signal.aborted) return;
    const endedMs = now();
    for (const one of heard) if (!one.done) one.seconds = (endedMs - one.sinceMs) / 1000;
    over.abort();
    ended.resolve(how);
    const sounds = heard.map(({ sound, seconds }) => ({ sound, seconds: Math.round(seconds * 10) / 10 }));
    onEnd({ ...phone, heard: sounds, pressed, startedMs, answeredMs, end: how, endedMs });
  };
  const play = async (sound: Sound, signals: AbortSignal[]): Promise<void> => {
    if (over.signal.aborted) return;
    const stop = hear(path.basename(sound.path));
    await time.wait(accountId, sound.seconds * 1000, AbortSignal.any([over.signal, ...signals]));
    stop();
  };
  const press = async (keys: string, { most, finishKey }: GatherOptions, first: () => void): Promise<string> => {
    let taken = '';
    for (const [place, key] of [...keys].entries()) {
      await time.wait(accountId, place === 0 ? firstKeyMs : nextKeyMs, over.signal);
      if (over.signal.aborted) return taken;
      first();
      pressed += key;
      if (key === finishKey) return taken;
      taken += key;
      if (taken.length === most) return taken;
    }
    return taken;
  };

  return {
    id: uuid,
    phone,
    over: over.signal,
    ended: ended.promise,
    pickUp: () => {
      answeredMs ??= now();
    },
    end,
    hear,
    play: (sound, { signal } = {}) => play(sound, signal ? [signal] : []),
    playRinging: () => (over.signal.aborted ? () => {} : hear('ringing')),
    async gather(options, prompt) {
      const keyed = new AbortController();
      const keys = phone.digits.shift() ?? '';
      const pressing = press(keys, options, () => keyed.abort());
      if (prompt) await play(prompt, [keyed.signal]);
      const digits = await pressing;
      const isFinished = digits.length === options.most || keys.includes(options.finishKey);
      if (!isFinished) await time.wait(accountId, options.patienceMs, over.signal);
      return digits;
    },
    async hangUp() {
      end({ by: 'us', code: answeredMs === null ? 487 : 200, description: '' });
    },
  };
}
