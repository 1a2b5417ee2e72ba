/** Reads the memory of another Node process, started with `--inspect`, through its debugging protocol. */
export interface Inspector {
  memory(): Promise<{ heap: number; external: number; rss: number }>;
  close(): void;
}

/** `printed` is what the process wrote so far; the address of its inspector is in it. */
export async function openInspector(printed: string): Promise<Inspector> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(printed) ?? [];
  if (!address) throw new Error(`The process says nothing of an inspector:\n${printed}`);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer.`)), { once: true });
  });
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own shape
  const command = (method: string, params: object = {}): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const hear = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(data);
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      socket.addEventListener('message', hear);
      socket.addEventListener('close', () => reject(new Error('The process ended.')), { once: true });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    async memory() {
      await command('HeapProfiler.collectGarbage');
      const { result } = await command('Runtime.evaluate', {
        expression: 'process.memoryUsage()',
        returnByValue: true,
      });
      const { heapUsed: heap, external, rss } = result.value;
      return { heap, external, rss };
    },
    close: () => socket.close(),
  };
}
