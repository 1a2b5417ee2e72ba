import { randomBytes } from 'node:crypto';

// What a stranger would have to guess to end somebody's call: random, and long.
export const newTag = (): string => randomBytes(8).toString('hex');
export const newBranch = (): string => `z9hG4bK${randomBytes(12).toString('hex')}`;
export const newCallId = (host: string): string => `${randomBytes(16).toString('hex')}@${host}`;
