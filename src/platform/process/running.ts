/**
 * What runs in this process for others to find, by its name: whoever starts it puts it here, and takes it away when it stops. It is
 * made with the dependencies, so that two processes in one test do not meet.
 */
export interface Running {
  of<T>(name: string): { get(): T | undefined; set(value: T | undefined): void };
}

export function makeRunning(): Running {
  const running = new Map<string, unknown>();
  return {
    of: <T>(name: string) => ({
      get: () => running.get(name) as T | undefined,
      set: (value) => void running.set(name, value),
    }),
  };
}
