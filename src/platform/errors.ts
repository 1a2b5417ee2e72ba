/**
 * Every error the API can answer with, beside field errors: a machine word, its status, and the sentence the caller reads.
 * `docs/errors.md` is generated from this table.
 */
export const errorTable = {
  bad_request: [400, 'The request is not valid HTTP.'],
  parse_error: [400, 'JSON parse error - the body is not valid JSON.'],
  recipient_opted_out: [400, 'The recipient has opted out of messages from this account.'],
  window_closed: [400, 'The person has not written within 24 hours; only a template can be sent.'],
  not_authenticated: [401, 'Authentication credentials were not provided.'],
  authentication_failed: [401, 'Invalid token.'],
  signature_missing: [401, 'The X-Hub-Signature-256 header is missing or malformed.'],
  permission_denied: [403, 'You do not have permission to perform this action.'],
  not_a_user: [403, 'Only users have a profile. This token does not belong to a user.'],
  network_not_allowed: [403, 'This token may not be used from your network.'],
  resource_not_allowed: [
    403,
    'This token is restricted to certain numbers. Use one of those numbers, or another token.',
  ],
  account_suspended: [403, 'This account is suspended. Contact the operator of this server.'],
  destination_not_allowed: [403, 'The safeguards of this account do not allow this destination.'],
  destination_held: [403, 'This range of numbers is held for review.'],
  sending_cap_reached: [403, 'The account has reached one of its sending caps.'],
  recipient_cap_reached: [403, 'This recipient has reached the cap on messages to one person.'],
  otp_required: [
    403,
    'Send a code from your authenticator app as otp, or a recovery code as recovery_code, together with the username and password.',
  ],
  passkey_required: [
    403,
    'Sign in with your passkey, or send a recovery code as recovery_code together with the username and password.',
  ],
  second_factor_setup_required: [403, 'This account requires a second factor. Set one up first.'],
  user_deactivated: [403, 'This user is deactivated. Ask an administrator.'],
  sso_required: [403, 'This account requires single sign-on. Sign in through your identity provider.'],
  reauthentication_required: [403, 'Confirm your identity, then repeat the request.'],
  person_required: [403, 'Only a signed-in user can do this.'],
  sandbox_off: [403, 'The sandbox of this account is off.'],
  csrf_failed: [403, 'A browser must send the header X-Requested-With: parley-console.'],
  signature_invalid: [403, 'The signature does not match the body.'],
  not_found: [404, 'Not found.'],
  invalid_page: [404, 'Invalid page.'],
  method_not_allowed: [405, 'Method not allowed.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_conflict: [409, 'A request with this Idempotency-Key is still running.'],
  reference_gone: [
    409,
    'An object that this request refers to was deleted while the request ran. Check the references and try again.',
  ],
  chatapp_account_in_use: [409, 'This number has messages or intros. Pause it instead.'],
  message_not_queued: [409, 'The message has already been sent, or is being sent now.'],
  sms_not_queued: [409, 'The SMS has already been sent, or is being sent now.'],
  message_not_failed: [409, 'Only a message that failed can be sent again.'],
  sms_not_failed: [409, 'Only an SMS that failed can be sent again.'],
  already_resent: [409, 'It has already been sent again.'],
  content_not_kept: [409, 'Its content is masked or cannot be read, so it cannot be sent again.'],
  too_many_calls: [409, 'The account has reached the number of concurrent calls that its safeguards allow.'],
  nothing_to_review: [409, 'Only a number range that is held, released or blocked can be reviewed.'],
  call_ended: [409, 'The call has already ended.'],
  sandbox_call_under_way: [409, 'A call is in progress in the sandbox. The clock can be set back when it has ended.'],
  phone_state: [409, 'The phone cannot do that in its current state.'],
  job_finished: [409, 'The job has already ended.'],
  campaign_running: [409, 'A launch of this campaign is still in progress.'],
  campaign_not_running: [409, 'No launch of this campaign is in a state that allows this.'],
  no_numbers_available: [409, 'No number matches.'],
  number_taken: [409, 'This number belongs to an account. It can be withdrawn once it has been released.'],
  audio_file_in_use: [409, 'A number still uses this audio file.'],
  webhook_in_use: [409, 'A number still uses this webhook.'],
  webhook_disabled: [409, 'The webhook is disabled or deleted.'],
  flow_not_draft: [409, 'Only a draft can be deleted. Deprecate what has been published.'],
  preview_unavailable: [409, 'The platform has no preview of this flow.'],
  storage_quota_exceeded: [
    409,
    'The account has used up its file storage. Delete files, shorten retention_days, or ask the operator for more.',
  ],
  data_key_missing: [
    409,
    'Content cannot be encrypted until the operator of this server has run `parley secrets rotate` once.',
  ],
  secret_unreadable: [409, 'A stored secret cannot be decrypted with this SECRET_KEY. Enter the secret again.'],
  idempotency_unreadable: [
    409,
    'A request with this Idempotency-Key has already been carried out, but its response can no longer be decrypted. Check what it did, or use another key.',
  ],
  operator_account: [409, "The operator's own account cannot be suspended or deleted."],
  account_deleting: [409, 'The account is being deleted.'],
  last_user: [409, 'The last user of an account cannot be deleted.'],
  second_factor_kept: [409, 'This account requires a second factor. Set up another one before you remove this one.'],
  last_owner: [409, 'The account would be left without an owner: nobody else has full read and write access.'],
  last_identity_provider: [409, 'The account requires single sign-on, and this is its last identity provider.'],
  role_built_in: [409, 'Built-in roles cannot be changed or deleted.'],
  role_in_use: [409, 'Users or invitations still have this role, or an identity provider still gives it.'],
  link_gone: [410, 'This link no longer works.'],
  precondition_failed: [
    412,
    'The object has changed since you read it. Read it again, compare, and repeat your change with the new ETag.',
  ],
  payload_too_large: [413, 'The request body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'Unsupported media type in request.'],
  range_not_satisfiable: [
    416,
    'The requested range is outside the file. The Content-Range header gives the size of the file.',
  ],
  expectation_failed: [417, 'The Expect header only supports 100-continue.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was already used with another request body.'],
  throttled: [429, 'Request was throttled.'],
  headers_too_large: [431, 'The header fields of the request are larger than 16 KiB.'],
  internal_error: [500, 'An unexpected error occurred. Quote the request id when you report it.'],
  identity_provider_unavailable: [
    502,
    'The identity provider cannot be reached, or its settings are wrong. The settings page shows the reason to administrators.',
  ],
  unknown_outcome: [
    503,
    'The database connection was lost before the request was confirmed, so it may or may not have been carried out. Repeat it with the same Idempotency-Key; if it had none, check first whether it was carried out.',
  ],
  disk_full: [503, 'The server has run out of disk space. Nothing was stored. Try again later.'],
  busy: [503, 'The database is busy. Try again shortly.'],
  unavailable: [503, 'The service is not ready. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof errorTable;

/** An answer other than success: `{"detail","code"}`. The sentence may be made more specific; the code never changes meaning. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: { detail?: string; headers?: Record<string, string> } = {}) {
    const [status, sentence] = errorTable[code];
    super(options.detail ?? sentence);
    this.code = code;
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** Errors by field, nested as the body is nested; lists of objects have one entry per item. */
export type FieldErrors = { [field: string]: string[] | FieldErrors | FieldErrors[] };

/** A 400 whose body names the fields. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  readonly errors: FieldErrors | FieldErrors[];

  constructor(errors: FieldErrors | FieldErrors[]) {
    super('The request has errors.');
    this.errors = errors;
  }
}

/** The first of the errors, with the place it is at. */
export function sentenceOf(errors: FieldErrors | FieldErrors[]): string {
  const [place, sentence] = firstOf(errors, []);
  return `${place.filter((name) => name !== 'non_field_errors').join('.')}: ${sentence}`;
}

function firstOf(errors: FieldErrors | FieldErrors[], place: string[]): [place: string[], sentence: string] {
  // Lists have an entry for each item, with nothing in it for the good ones.
  const wrong = Object.entries(errors).find(([, error]) => Object.keys(error).length > 0)!;
  const [name, error] = wrong as [string, string[] | FieldErrors | FieldErrors[]];
  if (Array.isArray(error) && typeof error[0] === 'string') return [[...place, name], error[0]];
  return firstOf(error as FieldErrors | FieldErrors[], [...place, name]);
}

export const notFound = () => new ApiError('not_found');

/** A reason why Parley cannot start, in one sentence for the person at the terminal. Printed alone, without a stack; exit code 1. */
export class StartError extends Error {
  override name = 'StartError';
}
