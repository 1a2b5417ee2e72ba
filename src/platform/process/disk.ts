import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../log.ts';
import { startLoop } from '../work/loop.ts';

/** Looks now and then how much room is left for files, and says so before there is none. */
export interface Disk {
  /** null: there is room; else a sentence for `/readyz`. */
  problem(): Promise<string | null>;
  stop(): Promise<void>;
}

const lookPauseMs = 60_000;
/** With less than this share left, an operator has to do something soon. */
export const lowShare = 0.1;
/** PostgreSQL writes its log by 16 MiB: with less than two of these left, the next write may fail. */
export const leastBytes = 32 * 1024 * 1024;

/** What a full disk says: of writes, and of an account's share of it. */
export function isDiskFull(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // An error that comes from a thread has lost its code, not its words.
  return /^(ENOSPC|EDQUOT)\b/.test(String(code ?? message));
}

export function watchDisk(dataDir: string, { log, metrics }: { log: Log; metrics: Registry }): Disk {
  const free = new Gauge({
    name: 'parley_disk_free_bytes',
    help: 'Room that is left on the disk of DATA_DIR.',
    // Of several processes: they have it in common.
    aggregator: 'first',
    registers: [metrics],
  });
  const size = new Gauge({
    name: 'parley_disk_size_bytes',
    help: 'Size of the disk of DATA_DIR.',
    aggregator: 'first',
    registers: [metrics],
  });
  let wasLow = false;

  const look = async (): Promise<{ freeBytes: number; sizeBytes: number } | undefined> => {
    // A directory that is made with the first file has the disk of the one it will be in; so long, nothing is known.
    const found = await statfs(dataDir).catch(() => undefined);
    if (!found) return undefined;
    const room = { freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
    free.set(room.freeBytes);
    size.set(room.sizeBytes);
    return room;
  };

  const loop = startLoop(log, 'disk', async () => {
    const room = await look();
    if (!room) return lookPauseMs;
    const isLow = room.freeBytes < room.sizeBytes * lowShare;
    if (isLow && !wasLow) {
      const percent = ((room.freeBytes / room.sizeBytes) * 100).toFixed(1);
      log.warn(`The disk of DATA_DIR (${dataDir}) has ${percent} % left: ${inMebibytes(room.freeBytes)}. Make room.`);
    }
    wasLow = isLow;
    return lookPauseMs;
  });

  return {
    async problem() {
      const room = await look();
      if (!room || room.freeBytes >= leastBytes) return null;
      return `disk_full: the disk of DATA_DIR has ${inMebibytes(room.freeBytes)} left.`;
    },
    stop: () => loop.stop(),
  };
}

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB`;
