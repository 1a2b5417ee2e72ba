import { randomInt } from 'node:crypto';
import { tokenHash } from '../../../platform/secrets.ts';

export const recoveryCodes = 10;
/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/** A code such as `k7wq-m2xh-9tdp-4bfn`: 79 random bits, so one round of SHA-256 is enough for what is stored of it. */
export const newRecoveryCode = (): string => Array.from({ length: groups }, newGroup).join('-');

const newGroup = (): string => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** What is stored of a code, however it is typed. */
export const recoveryHash = (code: string): string => tokenHash(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
