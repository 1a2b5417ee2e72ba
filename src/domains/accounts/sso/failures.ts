/** Why a sign-in by a provider came to nothing: the code is in the address of the sign-in page, which says it in words. */
export const ssoFailures = [
  'expired',
  'other_browser',
  'provider_disabled',
  'denied',
  'provider_error',
  'email_missing',
  'email_unverified',
  'domain_refused',
  'no_user',
  'no_role',
  'name_taken',
  'name_unfit',
  'refused',
] as const;
export type SsoFailureCode = (typeof ssoFailures)[number];

/** The message is for whoever set the provider up; it may tell of the account, and is not shown to whoever signs in. */
export class SsoFailure extends Error {
  override name = 'SsoFailure';
  readonly code: SsoFailureCode;
  constructor(code: SsoFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
