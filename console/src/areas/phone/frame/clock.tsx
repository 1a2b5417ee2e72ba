import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { call, useAct } from '../../../api/index.ts';

interface Reading {
  virtualMs: number;
  realMs: number;
  speed: number;
}

interface SandboxClock {
  speed: number;
  nowMs(): number;
  isMoving: boolean;
  advance(seconds: number): void;
  setSpeed(speed: number): void;
}

const Context = createContext<SandboxClock | null>(null);

const readingOf = ({ now, speed }: { now: string; speed: number }): Reading => ({
  virtualMs: Date.parse(now),
  realMs: Date.now(),
  speed,
});

/** Knows what time it is in the sandbox, and moves it. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [reading, setReading] = useState<Reading>(() => ({ virtualMs: Date.now(), realMs: Date.now(), speed: 1 }));
  const move = useAct('post', '/v2/sandbox/clock/', {
    // Whatever was due within that time has happened, or is about to.
    invalidates: ['/v2/sandbox/'],
    onDone: (clock) => setReading(readingOf(clock)),
  });
  useEffect(() => {
    // Another tab may have moved it while this one was away.
    const read = () =>
      call('get', '/v2/sandbox/clock/').then(
        (clock) => setReading(readingOf(clock)),
        () => {},
      );
    void read();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, []);
  const clock: SandboxClock = {
    speed: reading.speed,
    nowMs: () => reading.virtualMs + (Date.now() - reading.realMs) * reading.speed,
    isMoving: move.isPending,
    advance: (seconds) => move.mutate({ body: { advance_seconds: seconds } }),
    setSpeed: (speed) => move.mutate({ body: { speed } }),
  };
  return <Context value={clock}>{children}</Context>;
}

export function useSandboxClock(): SandboxClock {
  const clock = useContext(Context);
  if (!clock) throw new Error('There is no clock here.');
  return clock;
}

/** The time in the sandbox, each second anew. */
export function useSandboxNow(everyMs = 1000): number {
  const clock = useSandboxClock();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return clock.nowMs();
}
