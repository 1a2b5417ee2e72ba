import path from 'node:path';
import type { GatherOptions, Leg, LegEnd, Sound } from '../../ports/voice.ts';
import type { VoiceTime } from './time.ts';

/** Something that was heard on a phone: a sound by the name of its file, `ringing`, or `talk`. */
export interface Heard {
  sound: string;
  seconds: number;
}

/** What a phone has gone through so far. */
export interface LegStory {
  accountId: string;
  uuid: string;
  direction: 'INBOUND' | 'OUTBOUND';
  phone: string;
  other: string;
  heard: Heard[];
  /** What is heard at this moment. */
  hearing: { sound: string; sinceMs: number } | null;
  pressed: string;
  startedMs: number;
  answeredMs: number | null;
  /** null: it is not over. */
  end: (LegEnd & { atMs: number }) | null;
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
  /** Somebody answered. */
  readonly picked: AbortSignal;
  story(): LegStory;
  pickUp(): void;
  end(end: LegEnd): void;
  /** Notes that something is heard from now on; the returned function says until when. */
  hear(sound: string): () => void;
  press(key: string): void;
  /** Calls back with each key that is pressed, until the returned function is called. */
  onKey(callback: (key: string) => void): () => void;
}

/** `onChange`: there is more to be told of it. */
export function makeLeg(phone: Phone, time: VoiceTime, onChange: (leg: SandboxLeg) => void): SandboxLeg {
  const { accountId, uuid } = phone;
  const over = new AbortController();
  const picked = new AbortController();
  const ended = Promise.withResolvers<LegEnd>();
  const now = (): number => time.now(accountId);
  const startedMs = now();
  const heard: { sound: string; sinceMs: number; untilMs: number | null }[] = [];
  const listening = new Set<(key: string) => void>();
  let answeredMs: number | null = null;
  let pressed = '';
  let end: LegStory['end'] = null;

  const play = async (sound: Sound, signals: AbortSignal[]): Promise<void> => {
    if (over.signal.aborted) return;
    const stop = leg.hear(path.basename(sound.path));
    await time.wait(accountId, sound.seconds * 1000, AbortSignal.any([over.signal, ...signals]));
    stop();
  };

  const leg: SandboxLeg = {
    id: uuid,
    phone,
    over: over.signal,
    picked: picked.signal,
    ended: ended.promise,
    story() {
      const current = heard.findLast(({ untilMs }) => untilMs === null);
      const past = heard.flatMap(({ sound, sinceMs, untilMs }) =>
        untilMs === null ? [] : [{ sound, seconds: Math.round(Math.max(0, untilMs - sinceMs) / 100) / 10 }],
      );
      const { digits: _, speaksMs: __, ...who } = phone;
      const hearing = current ? { sound: current.sound, sinceMs: current.sinceMs } : null;
      return { ...who, heard: past, hearing, pressed, startedMs, answeredMs, end };
    },
    pickUp() {
      if (answeredMs !== null) return;
      answeredMs = now();
      picked.abort();
      onChange(leg);
    },
    end(how) {
      if (over.signal.aborted) return;
      const atMs = now();
      for (const one of heard) one.untilMs ??= atMs;
      end = { ...how, atMs };
      over.abort();
      ended.resolve(how);
      onChange(leg);
    },
    hear(sound) {
      const one = { sound, sinceMs: now(), untilMs: null as number | null };
      heard.push(one);
      onChange(leg);
      return () => {
        if (one.untilMs !== null) return;
        one.untilMs = now();
        onChange(leg);
      };
    },
    press(key) {
      if (over.signal.aborted) return;
      pressed += key;
      for (const callback of [...listening]) callback(key);
      onChange(leg);
    },
    onKey(callback) {
      listening.add(callback);
      return () => void listening.delete(callback);
    },
    play: (sound, { signal } = {}) => play(sound, signal ? [signal] : []),
    playRinging: () => (over.signal.aborted ? () => {} : leg.hear('ringing')),
    gather: (options, prompt) => gatherKeys(leg, options, { time, play: prompt && ((stop) => play(prompt, [stop])) }),
    async hangUp() {
      leg.end({ by: 'us', code: answeredMs === null ? 487 : 200, description: '' });
    },
  };
  return leg;
}

/** People think before they press the first key, and are quicker with the others. */
const firstKeyMs = 1000;
const nextKeyMs = 400;

interface Gathering {
  time: VoiceTime;
  /** What the person hears meanwhile; the first key stops it. */
  play: ((stop: AbortSignal) => Promise<void>) | undefined;
}

/** Collects keys: those that the person was going to press at this time, and those that are pressed by hand. */
async function gatherKeys(
  leg: SandboxLeg,
  { most, finishKey, patienceMs }: GatherOptions,
  { time, play }: Gathering,
): Promise<string> {
  const { accountId, digits } = leg.phone;
  const keyed = new AbortController();
  const finished = new AbortController();
  const isOver = AbortSignal.any([leg.over, finished.signal]);
  let again = new AbortController();
  let taken = '';
  const stopListening = leg.onKey((key) => {
    keyed.abort();
    again.abort();
    if (isOver.aborted) return;
    if (key !== finishKey) taken += key;
    if (key === finishKey || taken.length === most) finished.abort();
  });

  const pressAll = async (keys: string): Promise<void> => {
    for (const [place, key] of [...keys].entries()) {
      await time.wait(accountId, place === 0 ? firstKeyMs : nextKeyMs, isOver);
      if (isOver.aborted) return;
      leg.press(key);
    }
  };

  try {
    const pressing = pressAll(digits.shift() ?? '');
    await play?.(keyed.signal);
    await pressing;
    // Patience begins anew with each key.
    do {
      again = new AbortController();
      await time.wait(accountId, patienceMs, AbortSignal.any([isOver, again.signal]));
    } while (again.signal.aborted && !isOver.aborted);
    return taken;
  } finally {
    stopListening();
  }
}
