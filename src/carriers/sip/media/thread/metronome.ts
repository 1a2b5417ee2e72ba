import { frameMs } from '../rtp/rtp.ts';

/** Something that is sent frame by frame. */
export interface Player {
  /** Sends the next 20 ms; false when there was nothing left. */
  next(nowMs: number): boolean;
}

/**
 * The one clock of a worker by which everything that we play is sent. Its beats are points in time, not distances from the last
 * one, so they do not drift; late ones are caught up with. Players are spread over four beats within a frame: 200 prompts
 * are then four bursts of 50 packets, between which relayed packets find their way.
 */
export interface Metronome {
  add(player: Player): void;
  close(): void;
}

const beatsPerFrame = 4;
const beatMs = frameMs / beatsPerFrame;
/** After a gap longer than this (the machine slept) it continues instead of catching up. */
const longestLagMs = 1_000;

export function makeMetronome(): Metronome {
  const slots = Array.from({ length: beatsPerFrame }, () => new Set<Player>());
  let timer: NodeJS.Timeout | undefined;
  let originMs = 0;
  let beat = 0;

  const dueMs = (): number => originMs + beat * beatMs;
  const isIdle = (): boolean => slots.every((slot) => slot.size === 0);

  function wait(): void {
    timer = isIdle() ? undefined : setTimeout(run, Math.max(1, dueMs() - performance.now()));
  }

  function run(): void {
    const nowMs = performance.now();
    if (nowMs - dueMs() > longestLagMs) originMs = nowMs - beat * beatMs;
    for (; dueMs() <= nowMs; beat++) {
      const slot = slots[beat % beatsPerFrame]!;
      for (const player of slot) if (!player.next(nowMs)) slot.delete(player);
    }
    wait();
  }

  return {
    add(player) {
      slots.reduce((least, slot) => (slot.size < least.size ? slot : least)).add(player);
      if (timer !== undefined) return;
      originMs = performance.now();
      beat = 0;
      wait();
    },
    close() {
      clearTimeout(timer);
      for (const slot of slots) slot.clear();
    },
  };
}
