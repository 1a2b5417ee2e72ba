import type { Outcome } from '../port.ts';

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
