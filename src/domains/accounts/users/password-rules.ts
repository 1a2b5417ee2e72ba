import { isCommonPassword } from '../../../platform/common-passwords.ts';
import { ValidationError } from '../../../platform/errors.ts';

/** Why nobody may have this password, in a sentence; undefined: they may. How long it is, the schemas say. */
export function refusalOfPassword(username: string, password: string): string | undefined {
  if (username.toLowerCase() === password.toLowerCase()) return 'The password is too similar to the username.';
  return isCommonPassword(password) ? 'This password is too common.' : undefined;
}

export function refuseWeakPassword(username: string, password: string, field = 'password'): void {
  const refusal = refusalOfPassword(username, password);
  if (refusal) throw new ValidationError({ [field]: [refusal] });
}
