import { hash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import type { Clock } from '../../platform/clock.ts';

/** What programs are called by stands at the beginning. */
const longestUserAgent = 512;
const mostJudged = 10_000;
const dayMs = 86_400_000;

/** Tells people from programs, and people from each other. */
export interface Visitors {
  /** Whether a person opens this: not a preview, not a crawler, not a browser that reads ahead. */
  isPerson(request: FastifyRequest): boolean;
  /** The same for one browser at one address during one day, and nothing that leads back to either. */
  nameOf(request: FastifyRequest): string;
}

export function makeVisitors(clock: Clock): Visitors {
  const judged = new Map<string, boolean>();
  let day = 0;
  let salt = '';
  return {
    isPerson({ method, headers }) {
      if (method === 'HEAD' || isAhead(headers)) return false;
      const userAgent = (headers['user-agent'] ?? '').slice(0, longestUserAgent);
      const known = judged.get(userAgent);
      if (known !== undefined) return known;
      // Strangers must not be able to fill the process.
      if (judged.size >= mostJudged) judged.clear();
      const person = !isProgram(userAgent);
      judged.set(userAgent, person);
      return person;
    },
    nameOf({ ip, headers }) {
      const today = Math.floor(clock.now().getTime() / dayMs);
      if (today !== day) {
        // Kept nowhere else: tomorrow nobody can tell any more who it was, not even with a list of all addresses.
        day = today;
        salt = randomBytes(16).toString('hex');
      }
      return hash('sha256', `${salt}\n${ip}\n${headers['user-agent'] ?? ''}`, 'hex').slice(0, 16);
    },
  };
}

/** The ways in which browsers say that nobody has asked for the page yet. */
function isAhead(headers: FastifyRequest['headers']): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz'];
  return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose));
}

/** Every browser says what it is. CFNetwork is what apps on Apple's systems fetch previews with. */
const isProgram = (userAgent: string): boolean =>
  userAgent === '' || userAgent.includes('CFNetwork/') || isbot(userAgent);
