export interface Progress {
  /** Rows and bytes so far. */
  show(rows: number, bytes: number): void;
  /** Makes room for other lines. */
  clear(): void;
}

const barWidth = 24;
const onTerminalMs = 100;
const elsewhereMs = 5000;

/** Tells how far an import is: a bar on a terminal, a line now and then elsewhere. */
export function makeProgress(
  stream: NodeJS.WriteStream,
  totalBytes: number,
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now();
  let shownAt = startedAt;
  const everyMs = stream.isTTY ? onTerminalMs : elsewhereMs;
  return {
    show(rows, bytes) {
      if (now() - shownAt < everyMs) return;
      shownAt = now();
      const text = progressLine(rows, bytes / totalBytes, (shownAt - startedAt) / 1000);
      stream.write(stream.isTTY ? `\r\x1b[K${barOf(bytes / totalBytes)} ${text}` : `${text}\n`);
    },
    clear: () => void (stream.isTTY && stream.write('\r\x1b[K')),
  };
}

const barOf = (share: number): string => {
  const full = Math.round(Math.min(share, 1) * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
};

export function progressLine(rows: number, share: number, seconds: number): string {
  const left = share > 0 ? Math.max(0, seconds / share - seconds) : 0;
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  return `${Math.floor(share * 100)} %, ${thousands(rows)} rows, ${thousands(rate)} rows/s, ${Math.ceil(left)} s left`;
}

export const thousands = (count: number): string => count.toLocaleString('en');
