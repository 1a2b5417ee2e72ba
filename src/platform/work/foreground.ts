/**
 * Work that somebody waits for, such as a request, by account. Bulk work of other accounts gives way to it: before each batch it waits for a
 * moment in which nobody does, but not for long. See decision 69.
 */
export interface Foreground {
  /** From now on, and until the answer is called, somebody of this account waits. */
  begin(accountId: string): () => void;
  /** Waits until nobody of another account does, and no longer than `mostMs`. */
  giveWay(accountId: string, mostMs?: number): Promise<void>;
  /** Whether another account had such work a moment ago: bulk work is then cut into smaller pieces. */
  isShared(accountId: string): boolean;
}

interface Piece {
  accountId: string;
  beganMs: number;
}

/** What takes longer is an export or a stream, or waits for something else than this process. */
const longestMs = 200;
/** A bulk sender of the sandbox that waits so long before each batch still sends some 400 messages a second. */
const longestWayMs = 100;
/** For so long after the last of it an account counts as one that is here. */
const presentMs = 1000;

export function makeForeground(nowMs: () => number = () => performance.now()): Foreground {
  /** In the order in which they began. */
  const underWay = new Set<Piece>();
  /** The account that had the latest piece, and the latest of any other. */
  let latest = { accountId: '', ms: Number.NEGATIVE_INFINITY };
  let other = latest;
  const waiting = new Set<() => void>();

  const isAwaited = (accountId: string): boolean => {
    const sinceMs = nowMs() - longestMs;
    for (const piece of underWay) if (piece.accountId !== accountId && piece.beganMs > sinceMs) return true;
    return false;
  };

  return {
    begin(accountId) {
      const piece = { accountId, beganMs: nowMs() };
      underWay.add(piece);
      if (latest.accountId !== accountId) other = latest;
      latest = { accountId, ms: piece.beganMs };
      return () => {
        underWay.delete(piece);
        for (const look of waiting) look();
      };
    },
    async giveWay(accountId, mostMs = longestWayMs) {
      if (mostMs <= 0 || !isAwaited(accountId)) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (!isAwaited(accountId)) end();
        };
        const timer = setTimeout(end, mostMs);
        waiting.add(look);
      });
    },
    isShared: (accountId) => nowMs() - (latest.accountId === accountId ? other : latest).ms < presentMs,
  };
}
