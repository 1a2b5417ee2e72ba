/**
 * What the test files of one folder share within a process of `scripts/test.ts`: the first that asks makes it, and it is closed when
 * the process goes on to another folder. A file that runs by itself shares nothing.
 */
type Close = () => Promise<unknown>;

let closers: Close[] | undefined;

export const isSharing = (): boolean => closers !== undefined;

/** To be called by whoever has made something to share. */
export const closeWithFolder = (close: Close): void => void closers?.push(close);

/** Closes what the files so far have shared; those that follow may share again. */
export async function beginFolder(): Promise<void> {
  const ended = closers ?? [];
  closers = [];
  for (const close of ended) await close();
}
