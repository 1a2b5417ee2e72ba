import { type FileHandle, open } from 'node:fs/promises';
import { ulawSilence } from '../../../../platform/audio/g711.ts';
import { frameSamples } from '../rtp/rtp.ts';

/** µ-law, frame by frame. */
export interface Sound {
  /** Fills a frame; false when there was nothing left. */
  read(frame: Uint8Array): boolean;
  close(): void;
}

/** Two seconds: a piece is read from the disk while the one before it is heard. Memory does not grow with the file. */
const pieceLength = frameSamples * 100;

/** Done when the first piece is there. Frames that the disk is too slow for are silent. */
export async function openSound(path: string): Promise<Sound> {
  const file = await open(path, 'r');
  try {
    return await readAhead(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAhead(file: FileHandle): Promise<Sound> {
  let piece = Buffer.allocUnsafe(pieceLength);
  let spare = Buffer.allocUnsafe(pieceLength);
  let length = (await file.read(piece, 0, pieceLength, 0)).bytesRead;
  let nextLength: number | undefined;
  let at = 0;
  let filePosition = length;
  let closing = false;
  let reading: Promise<void> = Promise.resolve();

  function fetch(): void {
    nextLength = undefined;
    reading = file.read(spare, 0, pieceLength, filePosition).then(
      ({ bytesRead }) => {
        nextLength = bytesRead;
        filePosition += bytesRead;
      },
      // What cannot be read any more is over.
      () => {
        nextLength = 0;
      },
    );
  }

  /** Whether there is a next piece. */
  function turn(): boolean {
    if (nextLength === 0) return false;
    [piece, spare] = [spare, piece];
    length = nextLength!;
    at = 0;
    fetch();
    return true;
  }

  fetch();
  return {
    read(frame) {
      let filled = 0;
      while (filled < frame.length) {
        if (at === length) {
          const isLate = nextLength === undefined;
          if (isLate || !turn()) {
            frame.fill(ulawSilence, filled);
            return isLate || filled > 0;
          }
        }
        const count = Math.min(frame.length - filled, length - at);
        frame.set(piece.subarray(at, at + count), filled);
        at += count;
        filled += count;
      }
      return true;
    },
    close() {
      if (closing) return;
      closing = true;
      void reading.then(() => file.close()).catch(() => {});
    },
  };
}

/** Something short that is in memory, once or over and over. */
export function soundOf(octets: Buffer, { loop = false } = {}): Sound {
  let at = 0;
  return {
    read(frame) {
      if (at === octets.length) return false;
      for (let n = 0; n < frame.length; n++) {
        frame[n] = at < octets.length ? octets[at++]! : ulawSilence;
        if (loop && at === octets.length) at = 0;
      }
      return true;
    },
    close() {},
  };
}
