import { openUlawWriter } from '../../../../platform/audio/wav.ts';
import type { Session, Tap } from './session.ts';
import { makeTape } from './tape.ts';

export interface TapedSessions {
  stop(): void;
  /** Settles when the file is whole: somebody stopped it, its time was up, its key was pressed, or the first person has left. */
  readonly ended: Promise<{ seconds: number }>;
}

interface Options {
  path: string;
  mostMs?: number;
  finishKey?: string;
}

/** Records what each of these persons says, beginning now. */
export function startRecording(
  sessions: Session[],
  { path, mostMs = Number.POSITIVE_INFINITY, finishKey }: Options,
  reviews: Set<(nowMs: number) => void>,
): TapedSessions {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const onKey = (key: string): void => {
    if (key === finishKey) stop();
  };
  const [first] = sessions;
  first?.onKey.add(onKey);
  first?.onClose.add(stop);

  async function run(): Promise<{ seconds: number }> {
    const writer = await openUlawWriter(path, sessions.length);
    const startMs = performance.now();
    const tape = makeTape(writer, sessions.length, startMs);
    const taps: [Session, Tap][] = sessions.map((session, channel) => [session, tape.tap(channel)]);
    const review = (nowMs: number): void => {
      if (nowMs - startMs >= mostMs) stop();
      else tape.review(nowMs);
    };
    for (const [session, tap] of taps) session.taps.add(tap);
    reviews.add(review);
    await stopped;
    reviews.delete(review);
    for (const [session, tap] of taps) session.taps.delete(tap);
    tape.finish(Math.min(performance.now(), startMs + mostMs));
    return writer.close();
  }

  const ended = run().finally(() => {
    first?.onKey.delete(onKey);
    first?.onClose.delete(stop);
  });
  return { stop, ended };
}
