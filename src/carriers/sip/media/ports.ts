import { randomInt } from 'node:crypto';

/** The even ports of a range, for RTP; the odd one after each is left to RTCP (RFC 3550, 11), which nobody here listens to. */
export interface Ports {
  /** undefined: all are in use. */
  take(): number | undefined;
  release(port: number): void;
}

export function makePorts([least, most]: readonly [number, number]): Ports {
  const first = least + (least & 1);
  const count = Math.floor((most - first) / 2) + 1;
  const taken = new Set<number>();
  // In turn, so that a port rests as long as possible: packets of the call before may still be under way. And not from the
  // beginning: another process may have the same range.
  let next = count > 0 ? randomInt(count) : 0;
  return {
    take() {
      if (taken.size >= count) return undefined;
      for (;;) {
        const port = first + next * 2;
        next = (next + 1) % count;
        if (taken.has(port)) continue;
        taken.add(port);
        return port;
      }
    },
    release: (port) => void taken.delete(port),
  };
}
