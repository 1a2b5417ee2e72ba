import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { Principal } from '../../../platform/http/route.ts';
import { storeTokenUsesAnyAccount, type TokenUse } from './use-queries.ts';

const notedMs = 60_000;
const gatheredMs = 1_000;
/** What one statement takes. */
const most = 5_000;

export interface TokenUses {
  note(principal: Principal, request: FastifyRequest): void;
  stop(): Promise<void>;
}

/**
 * Notes when tokens are used and from where: once a minute for each at most, and many in one statement, so that a request costs a
 * look into a map. What could not be written is not tried again: the next minute brings more.
 */
export function makeTokenUses({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TokenUses {
  const noted = new Map<string, number>();
  let waiting: TokenUse[] = [];
  let writing: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    const uses = waiting;
    waiting = [];
    if (uses.length === 0) return writing;
    writing = writing
      .then(() => storeTokenUsesAnyAccount(db, uses))
      .catch((error: Error) => log.warn({ error: error.message }, 'When tokens were used could not be written'));
    return writing;
  };
  const timer = setInterval(() => void write(), gatheredMs).unref();
  const sweep = setInterval(() => {
    const old = performance.now() - notedMs;
    for (const [tokenId, at] of noted) if (at < old) noted.delete(tokenId);
  }, notedMs).unref();

  return {
    note({ tokenId, accountId }, request) {
      const now = performance.now();
      const last = noted.get(tokenId);
      if ((last !== undefined && last > now - notedMs) || waiting.length >= most) return;
      noted.set(tokenId, now);
      waiting.push({ accountId, tokenId, at: clock.now().toISOString(), address: request.ip.slice(0, 100) });
    },
    async stop() {
      clearInterval(timer);
      clearInterval(sweep);
      await write();
    },
  };
}
