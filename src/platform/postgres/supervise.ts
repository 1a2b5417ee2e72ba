// The life of a started server: serving → stopping → gone, or serving → gone when it dies unasked.
import type { Binaries } from './binaries.ts';
import type { Home, RuntimeDirectory } from './home.ts';
import { endServer } from './processes.ts';
import { hasEnded, type Server, waitForGuard } from './server.ts';

interface SuperviseOptions {
  home: Home;
  binaries: Binaries;
  runtime: RuntimeDirectory;
  server: Server;
}

/** Keeps the guard, reports an unasked end, and stops the server when asked. */
export function superviseServer({ home, binaries, runtime, server }: SuperviseOptions) {
  const { child, connection } = server;
  const pid = child.pid!;
  const listeners: ((description: string) => void)[] = [];
  let guard = server.guard;
  let ending: Promise<void> | undefined;
  let failure: string | undefined;

  const fail = (description: string) => {
    if (ending || failure) return;
    failure = description;
    for (const listener of listeners) listener(description);
  };

  // After the crash of one session the server restarts all of them by itself, and the guard is to be taken again.
  const keepGuard = () =>
    guard.once('end', async () => {
      if (ending || hasEnded(child)) return;
      const next = await waitForGuard(home, child, connection).catch(() => fail('another Parley took PostgreSQL over'));
      if (!next) return;
      guard = next;
      keepGuard();
    });

  const stop = async () => {
    await guard.end().catch(() => {});
    if (!hasEnded(child)) await endServer(pid, binaries, () => hasEnded(child));
    await runtime.remove();
  };

  keepGuard();
  child.once('exit', (code, by) => {
    fail(`PostgreSQL (process ${pid}) ended with ${by ?? `code ${code}`}; its log is ${home.logFile}`);
  });

  return {
    stop: () => (ending ??= stop()),
    onExit(listener: (description: string) => void) {
      listeners.push(listener);
      if (failure) listener(failure);
    },
  };
}
