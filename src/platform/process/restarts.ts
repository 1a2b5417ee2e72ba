const firstMs = 1_000;
const longestMs = 30_000;
/** Who lived for so long did not fail at the start. */
const soundMs = 60_000;

/** How long to wait before a process is started again, after the last such wait, if it lived for so long. */
export const restartDelayMs = (lastMs: number, livedMs: number): number =>
  lastMs === 0 || livedMs >= soundMs ? firstMs : Math.min(lastMs * 2, longestMs);
