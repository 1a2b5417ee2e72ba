import type { Shelf } from '../platform/work/newest.ts';

/** What a client was told to be stored. */
export interface Stored {
  accountId: string;
  uuid: string;
  /** The table that has it, or the change that an entry of the audit log with this id is about. */
  what: string | Change;
}

export interface Change {
  operation: string;
  path: string;
  /** What the change made, if it made one thing. */
  uuid?: string;
}

const idLength = 36;
const smallest = 1024;

/**
 * Ids as bytes in one buffer. As a string, the id that was cut from an answer keeps the whole answer in memory: 1.4 kB for each
 * message of the last minute, which the garbage collector walks over again and again.
 */
export function packedShelf(): Shelf<Stored> {
  let ids = Buffer.alloc(0);
  const accounts: string[] = [];
  const whats: Stored['what'][] = [];
  return {
    put(place, { accountId, uuid, what }) {
      const at = place * idLength;
      if (at >= ids.length) ids = Buffer.concat([ids], Math.max(smallest * idLength, ids.length * 2));
      ids.write(uuid, at, idLength, 'latin1');
      accounts[place] = accountId;
      whats[place] = what;
    },
    all: () =>
      whats.map((what, place) => {
        const uuid = ids.toString('latin1', place * idLength, (place + 1) * idLength);
        return { accountId: accounts[place]!, uuid, what };
      }),
  };
}
