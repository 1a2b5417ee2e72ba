import { isDatabaseAway, isOutcomeUnknown } from '../db/connect/failure.ts';
import { outsideRequests } from '../observe/context.ts';

/**
 * Group commit for single calls: calls that arrive while a batch is on its way wait and leave together, each caller gets its
 * own answer after the commit. Nothing waits when nothing is under way, so a lone call costs no delay; under load batches
 * grow by themselves (64 connections give batches of 32, two at a time).
 *
 * `work` does all or nothing. When it throws, each call is done by itself, so that one call's bad value fails that call alone;
 * unless the database is in trouble, which is no call's fault, or may have done the work all the same.
 */
export interface Batches {
  run<Item, Result>(
    name: string,
    item: Item,
    work: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>,
  ): Promise<Result>;
}

interface Waiting {
  item: unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

interface Lane {
  waiting: Waiting[];
  underWay: number;
  callsUnderWay: number;
  scheduled: boolean;
  leftMs: number;
}

interface Options {
  largest: number;
  inFlight: number;
  /** Batches leave at least this far apart; a call after a quiet moment still waits for nothing. */
  apartMs?: number;
  /** Or sooner, once this much time has passed without another call. */
  quietMs?: number;
}

/** A smaller share would not pay: each batch costs something by itself. */
const smallestShare = 8;

export function makeBatches({ largest, inFlight, apartMs = 0, quietMs }: Options): Batches {
  const lanes = new Map<string, Lane>();

  const leave = async (
    lane: Lane,
    work: (items: never[]) => Promise<PromiseSettledResult<unknown>[]>,
  ): Promise<void> => {
    lane.scheduled = false;
    if (lane.waiting.length === 0 || lane.underWay >= inFlight) return;
    const batch = lane.waiting.splice(0, Math.min(largest, shareOf(lane)));
    lane.underWay++;
    lane.callsUnderWay += batch.length;
    if (lane.waiting.length > 0 && lane.underWay < inFlight) schedule(lane, work);
    lane.leftMs = performance.now();
    try {
      const results = await work(batch.map((entry) => entry.item) as never[]);
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result?.status === 'fulfilled') entry.resolve(result.value);
        else entry.reject(result?.reason);
      });
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error) || isOutcomeUnknown(error)) {
        for (const entry of batch) entry.reject(error);
      } else await eachByItself(batch, work);
    } finally {
      lane.underWay--;
      lane.callsUnderWay -= batch.length;
      if (lane.waiting.length > 0 && !lane.scheduled) schedule(lane, work);
    }
  };

  /**
   * How many calls leave together. Batches are of equal size, so that some calls are prepared while others are stored. Without
   * that, one batch takes nearly all callers and the next the few that are left, and everybody waits for the large one. Where
   * batches are kept apart in time, they are to be few. See decision 68.
   */
  const shareOf = ({ waiting, callsUnderWay }: Lane): number =>
    apartMs > 0 ? largest : Math.max(smallestShare, Math.ceil((waiting.length + callsUnderWay) / inFlight));

  const eachByItself = async (batch: Waiting[], work: Parameters<typeof leave>[1]): Promise<void> => {
    for (const entry of batch) {
      try {
        const [result] = await work([entry.item] as never[]);
        if (result?.status === 'fulfilled') entry.resolve(result.value);
        else entry.reject(result?.reason);
      } catch (error) {
        entry.reject(error);
      }
    }
  };

  const schedule = (lane: Lane, work: Parameters<typeof leave>[1]): void => {
    lane.scheduled = true;
    const restMs = lane.leftMs + apartMs - performance.now();
    // One turn of the event loop gathers the requests that came in the same packets.
    // What leaves together belongs to no request alone.
    outsideRequests(() => {
      if (restMs <= 0) setImmediate(() => void leave(lane, work));
      else if (quietMs === undefined) setTimeout(() => void leave(lane, work), restMs);
      else gather(lane, work);
    });
  };

  /** Looks again and again whether anybody else has come. */
  const gather = (lane: Lane, work: Parameters<typeof leave>[1]): void => {
    const seen = lane.waiting.length;
    setTimeout(() => {
      const isQuiet = lane.waiting.length === seen;
      if (isQuiet || performance.now() >= lane.leftMs + apartMs) void leave(lane, work);
      else gather(lane, work);
    }, quietMs);
  };

  return {
    run(name, item, work) {
      const lane = lanes.get(name) ?? {
        waiting: [],
        underWay: 0,
        callsUnderWay: 0,
        scheduled: false,
        leftMs: -apartMs,
      };
      lanes.set(name, lane);
      return new Promise((resolve, reject) => {
        lane.waiting.push({ item, resolve: resolve as Waiting['resolve'], reject });
        if (!lane.scheduled && lane.underWay < inFlight) schedule(lane, work as never);
      });
    },
  };
}

/** No waiting for company: inside a transaction of one's own, each call is its own batch. */
export const unbatched: Batches = {
  async run(_name, item, work) {
    const [result] = await work([item]);
    if (result?.status === 'fulfilled') return result.value;
    throw result?.reason;
  },
};
