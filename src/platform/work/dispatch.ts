import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Foreground } from './foreground.ts';
import { type Doubts, makeHands } from './hands.ts';
import { startLoop } from './loop.ts';
import type { Watch } from './poll.ts';

/** A place that things leave from, and how long until the first of them is due. */
export interface Place {
  key: string;
  /** Whose messages they are. */
  account: string;
  /** The queue it takes from, as notices name it. */
  queue: string;
  waitMs: number;
}

/** What leaves, and how. `find` and `claim` read the database; nothing is kept here but what is under way. */
export interface Dispatching<P extends Place, Batch> {
  name: string;
  log: Log;
  foreground: Foreground;
  /** When there may be something to find, and when something of a dead process to recover. */
  watches?: { found: Watch; lost: Watch };
  /** The places that have something waiting. `within` may be told how soon to look again. */
  find(within: (ms: number) => void): Promise<P[]>;
  /**
   * Takes what leaves next, under a number that tells it from this process's other claims. undefined: nothing may be taken now.
   * `isFull`: there is probably more. Where others have something to send, too, it takes less: whoever comes next waits for it.
   */
  claim(place: P, claim: number, isAlone: boolean): Promise<Claimed<Batch> | undefined>;
  /** A place that is alone claims its next full batch while this one is given away; it leaves after it all the same. */
  claimsAhead?: boolean;
  /**
   * Gives a batch away and stores how that ended; calls `left` when all of it is gone, and that alone remains to be stored. Fails
   * if that cannot be found out, or not be stored before the process is `ending`: then it is recovered.
   */
  handOver(batch: Batch, left: () => void, ending: AbortSignal): Promise<void>;
  /** Takes up what a dead process left half done, and what this one has claimed and not in hand; answers how much there was. */
  recover(doubts: Doubts | undefined): Promise<number>;
}

export interface Claimed<Batch> {
  batch: Batch;
  isFull: boolean;
}

/** A hand-over under way. */
interface Flight {
  end: Promise<void>;
  startedMs: number;
  /** All of it is gone, and that remains to be stored: from here on it costs this process and the database, and not the carrier. */
  hasLeft: boolean;
}

export interface Dispatch {
  /** There is something new in a queue; '' when that is all that is known. */
  notice(queue: string): void;
  /** Lets what is under way end. */
  stop(): Promise<void>;
}

/** Places served at the same time by this process; each holds one database connection while it is. */
const mostPlaces = 6;
/** After this many batches a place is looked up again. While somebody else waits, a turn is one batch. */
const batchesPerTurn = 10;
/** How long a hand-over may take before the place's next batch leaves beside it, and how many may be under way. */
const patienceMs = 100;
const mostFlights = 16;
/**
 * While somebody else waits, a place has one hand-over under way. One that takes longer than this waits for its carrier and costs this
 * process nothing, so the next may leave beside it.
 */
const slowMs = 1000;
const longestPauseMs = 1000;
const recoveryPauseMs = 2000;
const doubtPauseMs = 900;
/** A place is alone when no other had a turn for so long. */
const aloneMs = 1000;
/** How long a process that ends waits for a database that is away; whoever is alive then finds out how hand-overs ended. */
const drainMs = 10_000;
/** How often a place at its rate is looked at: 80 a second leave four at a time. */
const ratePauseMs = 50;

/**
 * Finds places with something due and serves each, several at a time. It wakes on notices, and looks by itself every second.
 */
export function startDispatch<P extends Place, Batch>(dispatching: Dispatching<P, Batch>): Dispatch {
  const { name, log, foreground, watches, find, claim, claimsAhead = false, handOver, recover } = dispatching;
  const serving = new Map<string, { queue: string; turn: Promise<void> }>();
  /** Queues that got something new during the turn of one of their places. */
  const renewed = new Set<string>();
  /** Places that must not be looked at before a moment: their rate is used up, or serving them failed. */
  const resting = new Map<string, number>();
  /** Places whose latest batch was full: whoever waits for a single message waits for none of these. */
  const bulk = new Set<string>();
  /** Hand-overs under way, by place. */
  const flights = new Map<string, Set<Flight>>();
  /** Who is due and waits for a turn. Nobody is looked for before all of them had one: a million of one never delay one of another. */
  let line: P[] = [];
  /** The place that had the latest turn, and the latest turn of any other. */
  let latest = { key: '', ms: Number.NEGATIVE_INFINITY };
  let other = latest;
  const hands = makeHands();
  const ending = new AbortController();
  let stopping = false;

  const serve = async (place: P): Promise<void> => {
    const end = bulk.has(place.key) ? undefined : foreground.begin(place.account);
    try {
      await serveTurn(place);
    } finally {
      end?.();
    }
  };

  const serveTurn = async (place: P): Promise<void> => {
    const { key, queue } = place;
    let ahead: ReturnType<typeof take> | undefined;
    // What is claimed ahead leaves, whatever has happened meanwhile.
    for (let turn = 0; ahead || (turn < batchesPerTurn && !stopping); turn++) {
      const claimed = await (ahead ?? take(place));
      ahead = undefined;
      if (!claimed) {
        // Something was due and nothing could be taken: its rate is used up, and allows some more in a moment.
        if (turn === 0) rest(key, ratePauseMs);
        return;
      }
      const left = Promise.withResolvers<void>();
      const flight = fly(key, claimed.number, claimed.batch, left.resolve);
      if (claimsAhead && claimed.isFull && turn + 1 < batchesPerTurn && !stopping && isAlone(key) && !isCrowded(key)) {
        ahead = take(place);
        // It is waited for in the next turn.
        ahead.catch(() => {});
      }
      // A batch usually ends soon, and the next one is the fuller for having waited: where that is full already, it leaves while
      // this one is being stored. One that hangs at its carrier holds up nobody.
      const isThrough = claimed.isFull ? Promise.race([flight.end, left.promise]) : flight.end;
      await Promise.race([isThrough, sleep(patienceMs, undefined, { ref: false })]);
      await storedBeside(key, flight);
      if (ahead) continue;
      if (isCrowded(key) || someoneWaits() || (!claimed.isFull && !renewed.has(queue))) return;
    }
  };

  const take = async (place: P): Promise<(Claimed<Batch> & { number: number }) | undefined> => {
    const { key, account } = place;
    if (bulk.has(key)) await foreground.giveWay(account);
    renewed.delete(place.queue);
    const number = hands.take();
    const claimed = await claim(place, number, isAlone(key) && !foreground.isShared(account)).catch((error) => {
      hands.lose(number);
      recovery.wake();
      throw error;
    });
    if (!claimed) hands.settle(number);
    if (claimed?.isFull) bulk.add(key);
    else bulk.delete(key);
    return claimed && { ...claimed, number };
  };

  /**
   * Of each place one batch is stored at a time, and the next one leaves beside it: where the database is slow, more of them would only
   * make it slower, for everybody.
   */
  const storedBeside = async (key: string, flight: Flight): Promise<void> => {
    const others = [...(flights.get(key) ?? [])].filter((other) => other !== flight && other.hasLeft);
    await Promise.all(others.map(({ end }) => end));
  };

  const fly = (key: string, number: number, batch: Batch, left: () => void): Flight => {
    const mine = flights.get(key) ?? new Set();
    flights.set(key, mine);
    const flight: Flight = { end: Promise.resolve(), startedMs: performance.now(), hasLeft: false };
    mine.add(flight);
    const leave = (): void => {
      flight.hasLeft = true;
      left();
    };
    flight.end = handOver(batch, leave, ending.signal)
      .then(() => hands.settle(number))
      .catch((error) => {
        hands.letGo(number);
        recovery.wake();
        log.error({ err: error }, 'How a hand-over ended is not known yet');
      })
      .finally(() => {
        mine.delete(flight);
        if (mine.size === 0) flights.delete(key);
        // Whoever serves the place goes on by itself.
        if (!serving.has(key)) finder.wake();
      });
    return flight;
  };

  const isCrowded = (key: string): boolean => {
    const mine = flights.get(key);
    if (!mine) return false;
    return mine.size >= mostFlights || (line.length > 0 && performance.now() - lastOf(mine).startedMs < slowMs);
  };

  const isAlone = (key: string): boolean =>
    performance.now() - (latest.key === key ? other : latest).ms > aloneMs && !someoneWaits();

  const someoneWaits = (): boolean => line.some(({ key }) => !isBusy(key));

  const rest = (key: string, ms: number): void => {
    resting.set(key, performance.now() + ms);
    setTimeout(() => finder.wake(), ms).unref();
  };

  const isBusy = (key: string): boolean =>
    serving.has(key) || isCrowded(key) || (resting.get(key) ?? 0) > performance.now();

  const begin = (place: P): void => {
    const { key, queue } = place;
    if (latest.key !== key) other = latest;
    latest = { key, ms: performance.now() };
    const turn = serve(place)
      .catch((error) => {
        log.error({ err: error }, `${name}: a turn failed`);
        rest(key, longestPauseMs);
      })
      .finally(() => {
        serving.delete(key);
        finder.wake();
      });
    serving.set(key, { queue, turn });
  };

  const findSome = async (): Promise<number> => {
    let pauseMs = longestPauseMs;
    if (line.length === 0) {
      const found = await find((ms) => {
        pauseMs = Math.min(pauseMs, ms);
      });
      for (const { waitMs } of found) if (waitMs > 0) pauseMs = Math.min(pauseMs, waitMs);
      line = found.filter(({ key, waitMs }) => waitMs <= 0 && !isBusy(key));
    }
    while (serving.size < mostPlaces && line.length > 0) {
      const place = line.shift()!;
      if (!isBusy(place.key)) begin(place);
    }
    return pauseMs;
  };
  const finder = startLoop(log, name, findSome, watches && { watch: watches.found });

  const recoverSome = async (): Promise<number> => {
    const doubts = hands.doubts();
    try {
      if ((await recover(doubts)) > 0) finder.wake();
    } catch (error) {
      hands.doubt();
      throw error;
    }
    // What is in doubt nobody else tells of.
    return doubts ? doubtPauseMs : recoveryPauseMs;
  };
  const recovery = startLoop(log, `${name} recovery`, recoverSome, watches && { watch: watches.lost });

  return {
    notice(queue) {
      const isServed = [...serving.values()].some((served) => served.queue === queue);
      if (isServed) renewed.add(queue);
      else finder.wake();
    },
    async stop() {
      stopping = true;
      const drained = setTimeout(() => ending.abort(), drainMs);
      await Promise.all([finder.stop(), recovery.stop()]);
      await Promise.all([...serving.values()].map(({ turn }) => turn));
      await Promise.all([...flights.values()].flatMap((mine) => [...mine].map(({ end }) => end)));
      clearTimeout(drained);
    },
  };
}

const lastOf = (flights: ReadonlySet<Flight>): Flight => [...flights].at(-1)!;
