/** Who waits for a turn. */
export interface Waiting {
  /** Who the work is for. The more of a key wait, the later its next turn. */
  key: string;
  /** The lower, the sooner; those who wait already with the same key are added. */
  rank?: number;
  /** At most so many with this key wait. */
  most?: number;
}

export interface TurnOptions {
  atOnce: number;
  mostWaiting: number;
  waitMs: number;
}

/** Does work when it is its turn. */
export type Turns = <T>(waiting: Waiting, work: () => Promise<T>) => Promise<T>;

/** Nobody got a turn: too many wait, or it took too long. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

interface Place {
  key: string;
  rank: number;
  begin(): void;
  refuse(): void;
}

/**
 * Lets a few pieces of costly work run at once and others wait, in the order of their rank and not longer than `waitMs`. When all
 * places are taken, the last in the order makes way for somebody who would stand before it: whoever asks a lot drives out their
 * own requests, not those of others.
 */
export function makeTurns({ atOnce, mostWaiting, waitMs }: TurnOptions): Turns {
  let running = 0;
  /** In the order of their turns. */
  const line: Place[] = [];

  const join = ({ key, rank = 0, most = mostWaiting }: Waiting): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = line.filter((place) => place.key === key).length;
      if (own >= most) return reject(new NoTurn());
      const timer = setTimeout(() => {
        line.splice(line.indexOf(place), 1);
        reject(new NoTurn());
      }, waitMs);
      const place: Place = {
        key,
        rank: rank + own,
        begin() {
          clearTimeout(timer);
          resolve();
        },
        refuse() {
          clearTimeout(timer);
          reject(new NoTurn());
        },
      };
      const after = line.findIndex((other) => other.rank > place.rank);
      line.splice(after < 0 ? line.length : after, 0, place);
      if (line.length > mostWaiting) line.pop()!.refuse();
    });

  return async <T>(waiting: Waiting, work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await join(waiting);
    else running++;
    try {
      return await work();
    } finally {
      // A turn that is passed on stays counted, so nobody can slip in between.
      const next = line.shift();
      if (next) next.begin();
      else running--;
    }
  };
}
