import type { Recording, RecordOptions } from '../../ports/voice.ts';
import type { SandboxLeg } from './legs/leg.ts';
import { writeTalk } from './talk.ts';
import type { VoiceTime } from './time.ts';

/** Records legs that say no words: the file is as long as it took. Whoever speaks to a mailbox hangs up when they are done. */
export function record(legs: SandboxLeg[], { path, mostMs, finishKey }: RecordOptions, time: VoiceTime): Recording {
  const [first] = legs as [SandboxLeg, ...SandboxLeg[]];
  const { accountId, speaksMs } = first.phone;
  const sinceMs = time.now(accountId);
  const stopped = new AbortController();
  const isOver = AbortSignal.any([stopped.signal, first.over]);
  const stopListening = first.onKey((key) => key === finishKey && stopped.abort());
  if (legs.length === 1 && speaksMs !== undefined) {
    void time
      .wait(accountId, speaksMs, isOver)
      .then(() => stopped.signal.aborted || first.end({ by: 'peer', code: 200, description: '' }));
  }
  const write = async (): Promise<{ seconds: number }> => {
    await time.wait(accountId, mostMs ?? Number.POSITIVE_INFINITY, isOver);
    stopListening();
    const tookMs = Math.min(time.now(accountId) - sinceMs, mostMs ?? Number.POSITIVE_INFINITY);
    stopped.abort();
    await writeTalk(path, tookMs / 1000, legs.length);
    return { seconds: tookMs / 1000 };
  };
  const ended = write();
  // `stop` reports an error. If nobody calls it, the unhandled rejection must not end the process.
  ended.catch(() => {});
  return {
    ended,
    stop() {
      stopped.abort();
      return ended;
    },
  };
}
