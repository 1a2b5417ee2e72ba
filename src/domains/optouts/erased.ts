import type { Vault } from '../../platform/secrets.ts';

/**
 * An erased person has no digits any more. What they opted out of is kept under a hash of the account and the digits, which takes the
 * server's key to make: whoever is written to is compared with it, and nobody can read a number out of it.
 */
export const erasedKey = (vault: Pick<Vault, 'digest'>, accountId: string, digits: string): string =>
  `#${vault.digest(`person ${accountId} ${digits}`)}`;
