import type { LegEnd } from '../ports/voice.ts';
import { codeOf, isBroken } from './causes.ts';
import type { Destroyed } from './events.ts';

/** How a leg ended that had been answered, and that we did not hang up. */
export const answeredEnd = (how: Destroyed): LegEnd =>
  isBroken(how) ? brokenEnd(how) : { by: 'peer', code: 200, description: 'Hung up.' };

/** The same of a caller whom nobody had answered. */
export const unansweredEnd = (how: Destroyed): LegEnd =>
  isBroken(how) ? brokenEnd(how) : { by: 'peer', code: 487, description: 'The caller hung up before the answer.' };

const brokenEnd = (how: Destroyed): LegEnd => ({
  by: 'network',
  code: codeOf(how),
  description: how.text || 'The connection broke.',
});
