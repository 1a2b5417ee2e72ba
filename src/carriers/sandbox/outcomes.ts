import type { Outcome } from '../ports/chat.ts';

/** The ways in which the sandbox does not take a message, or does not say so. */
export type Refusal = Exclude<Outcome, { kind: 'accepted' }>;

export const notAUser: Refusal = {
  kind: 'rejected',
  code: '131026',
  description: 'The number does not use the chat app.',
};
export const noSuchNumber: Extract<Refusal, { kind: 'rejected' }> = {
  kind: 'rejected',
  code: 'ESME_RINVDSTADR',
  description: 'The carrier does not accept this recipient.',
};
export const tooMany: Refusal = { kind: 'retry', description: 'Too many messages; slow down.', afterMs: 500 };
export const carrierDown: Refusal = { kind: 'retry', description: 'The carrier is down.' };
export const answerLost: Refusal = { kind: 'unknown', description: 'The answer never came.' };
/** Our own database, which the sandbox has its memory in, refused. */
export const notKept: Extract<Refusal, { kind: 'retry' }> = {
  kind: 'retry',
  description: 'The carrier could not keep it.',
};
/** Our own database was away before the sandbox had taken anything. */
export const notAsked: Extract<Refusal, { kind: 'retry' }> = {
  kind: 'retry',
  description: 'It could not be made ready to leave.',
  afterMs: 1000,
  isOurs: true,
  isOutage: true,
};
