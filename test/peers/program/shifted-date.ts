// Loaded before the program (`--import`): a machine whose clock is set while it runs. On SIGUSR2 the clock shows as many milliseconds
// more or less as the file named by SHIFT_FILE says. The monotonic clock goes on as it always does.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

let shiftMs = 0;
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
const file = process.env['SHIFT_FILE'];
if (isMainThread && file) {
  process.on('SIGUSR2', () => {
    shiftMs = Number(readFileSync(file, 'utf8'));
  });
}
