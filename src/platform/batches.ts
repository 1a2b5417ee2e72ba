/**
 * Group commit for single calls: calls that arrive while a batch is on its way wait and leave together, each caller gets its
 * own answer after the commit. Nothing waits when nothing is under way, so a lone call costs no delay; under load batches
 * grow by themselves (measured: 64 connections give batches of 20 to 40).
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
  scheduled: boolean;
}

export function makeBatches(options: { largest: number; inFlight: number }): Batches {
  const lanes = new Map<string, Lane>();

  const leave = async (
    lane: Lane,
    work: (items: never[]) => Promise<PromiseSettledResult<unknown>[]>,
  ): Promise<void> => {
    lane.scheduled = false;
    if (lane.waiting.length === 0 || lane.underWay >= options.inFlight) return;
    const batch = lane.waiting.splice(0, options.largest);
    lane.underWay++;
    try {
      const results = await work(batch.map((entry) => entry.item) as never[]);
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result?.status === 'fulfilled') entry.resolve(result.value);
        else entry.reject(result?.reason);
      });
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    } finally {
      lane.underWay--;
      if (lane.waiting.length > 0) void leave(lane, work);
    }
  };

  return {
    run(name, item, work) {
      const lane = lanes.get(name) ?? { waiting: [], underWay: 0, scheduled: false };
      lanes.set(name, lane);
      return new Promise((resolve, reject) => {
        lane.waiting.push({ item, resolve: resolve as Waiting['resolve'], reject });
        if (lane.scheduled || lane.underWay >= options.inFlight) return;
        lane.scheduled = true;
        // One turn of the event loop gathers the requests that came in the same packets.
        setImmediate(() => void leave(lane, work as never));
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
