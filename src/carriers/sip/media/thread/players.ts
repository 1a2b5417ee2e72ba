import { ulawSilence } from '../../../../platform/audio/g711.ts';
import { keyTone } from '../../../../platform/audio/tones.ts';
import { frameSamples, headLength, marker } from '../rtp/rtp.ts';
import type { Player } from './metronome.ts';
import { type Sound, soundOf } from './sound-reader.ts';

/** What a player needs of the person it plays to. */
export interface Listener {
  /** Sends a frame of µ-law that stands after the room for its head. */
  say(packet: Buffer, nowMs: number): void;
  /** Sends a packet of a key, likewise. */
  press(packet: Buffer, mark: number, nowMs: number): void;
}

/** A player that ends by itself, or is ended; `over` is called once in either case. */
export interface Performance extends Player {
  end(): void;
}

function perform(step: (nowMs: number) => boolean, over: () => void): Performance {
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    over();
  };
  return {
    next(nowMs) {
      if (!ended && step(nowMs)) return true;
      end();
      return false;
    },
    end,
  };
}

export const playSound = (listener: Listener, sound: Sound, over: () => void): Performance =>
  perform(
    (nowMs) => {
      const packet = Buffer.allocUnsafe(headLength + frameSamples);
      if (!sound.read(packet.subarray(headLength))) return false;
      listener.say(packet, nowMs);
      return true;
    },
    () => {
      sound.close();
      over();
    },
  );

const events = '0123456789*#ABCD';
const updates = 5;
/** The last packet of a key is sent three times, since it may be lost (RFC 4733, 2.5.1.4). */
const ends = 3;
const pauseFrames = 4;
const volume = 10;

/** Keys as telephone events: 120 ms each, 80 ms apart. */
export function pressKeys(listener: Listener, digits: string, over: () => void): Performance {
  const keys = [...digits.toUpperCase()].map((digit) => events.indexOf(digit)).filter((event) => event >= 0);
  let at = 0;
  let frame = 0;
  return perform((nowMs) => {
    if (frame === updates + ends + pauseFrames) {
      at++;
      frame = 0;
    }
    if (at >= keys.length) return false;
    if (frame < updates + ends) {
      const packet = Buffer.allocUnsafe(headLength + 4);
      packet[headLength] = keys[at]!;
      packet[headLength + 1] = frame < updates ? volume : volume | 0x80;
      packet.writeUInt16BE(Math.min(frame + 1, updates + 1) * frameSamples, headLength + 2);
      listener.press(packet, frame === 0 ? marker : 0, nowMs);
    }
    frame++;
    return true;
  }, over);
}

/** Keys as tones, for a peer that knows no telephone events. */
export function soundKeys(listener: Listener, digits: string, over: () => void): Performance {
  const pause = Buffer.alloc(pauseFrames * frameSamples, ulawSilence);
  const tones = [...digits].flatMap((digit) => {
    const tone = keyTone(digit, 0.12);
    return tone ? [tone, pause] : [];
  });
  return playSound(listener, soundOf(Buffer.concat(tones)), over);
}
