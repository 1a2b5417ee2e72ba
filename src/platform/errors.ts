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
  signature_missing: [401, 'The header X-Hub-Signature-256 is missing or malformed.'],
  permission_denied: [403, 'You do not have permission to perform this action.'],
  not_a_user: [403, 'Only a user who signed in has a profile; this is the token of a program.'],
  network_not_allowed: [403, 'This token may not be used from your network.'],
  resource_not_allowed: [403, 'This token is bound to certain numbers. Name one of them, or use another token.'],
  account_suspended: [403, 'This account is suspended. Ask whoever runs this server.'],
  destination_not_allowed: [403, 'The safeguards of this account do not allow this destination.'],
  destination_held: [403, 'This range of numbers is held for review.'],
  sending_cap_reached: [403, 'A cap of this account is reached.'],
  recipient_cap_reached: [403, 'A cap on what one person is sent is reached.'],
  otp_required: [
    403,
    'Enter a code of your authenticator app as otp, or a recovery code as recovery_code, with the same name and password.',
  ],
  passkey_required: [
    403,
    'Sign in with your passkey, or send a recovery code as recovery_code with name and password.',
  ],
  second_factor_setup_required: [403, 'This account requires a second factor. Set one up first.'],
  user_deactivated: [403, 'This user is deactivated. Ask an administrator.'],
  sso_required: [403, 'This account requires single sign-on. Sign in by your identity provider.'],
  reauthentication_required: [403, 'Confirm that it is you, and repeat the request.'],
  person_required: [403, 'Only a person who signed in with a name can do this.'],
  sandbox_off: [403, 'The sandbox of this account is off.'],
  csrf_failed: [403, 'A browser must send the header X-Requested-With: parley-console.'],
  signature_invalid: [403, 'The signature does not fit the body.'],
  not_found: [404, 'Not found.'],
  invalid_page: [404, 'Invalid page.'],
  method_not_allowed: [405, 'Method not allowed.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_conflict: [409, 'A request with this Idempotency-Key is still running.'],
  reference_gone: [
    409,
    'Something that this request refers to was deleted while it ran. Check what it refers to and try again.',
  ],
  chatapp_account_in_use: [409, 'This number has messages or intros. Pause it instead.'],
  message_not_queued: [409, 'The message has left already, or is leaving now.'],
  sms_not_queued: [409, 'The SMS has left already, or is leaving now.'],
  too_many_calls: [409, 'The account has as many calls at once as its safeguards allow.'],
  nothing_to_review: [409, 'Only a range of numbers that is held, released or blocked can be reviewed.'],
  call_ended: [409, 'The call is over already.'],
  phone_state: [409, 'The phone is not in a state to do that.'],
  job_finished: [409, 'The job has ended already.'],
  campaign_running: [409, 'A launch of this campaign is not over yet.'],
  campaign_not_running: [409, 'No launch of this campaign can be changed so.'],
  no_numbers_available: [409, 'No number matches.'],
  number_taken: [409, 'An account has this number. It can be withdrawn when it was released.'],
  audio_file_in_use: [409, 'A number still uses this audio file.'],
  webhook_in_use: [409, 'A number still uses this webhook.'],
  webhook_disabled: [409, 'The webhook is disabled or deleted.'],
  flow_not_draft: [409, 'Only a draft can be deleted. Deprecate what has been published.'],
  preview_unavailable: [409, 'The platform has no preview of this flow.'],
  storage_quota_exceeded: [
    409,
    "The account's room for files is used up. Delete some, shorten retention_days, or ask the operator for more.",
  ],
  data_key_missing: [
    409,
    'Content cannot be encrypted before whoever runs this server has run `parley secrets rotate` once.',
  ],
  secret_unreadable: [409, 'A stored secret cannot be decrypted with this SECRET_KEY. Set it anew.'],
  idempotency_unreadable: [
    409,
    'A request with this Idempotency-Key was carried out before, and its answer cannot be decrypted any more. Look for what it did, or use another key.',
  ],
  operator_account: [409, "The operator's own account cannot be suspended or deleted."],
  account_deleting: [409, 'The account is being deleted.'],
  last_user: [409, 'The last user of an account cannot be deleted.'],
  second_factor_kept: [409, 'This account requires a second factor. Set up another one before you remove this one.'],
  last_owner: [409, 'The account would have no owner left: nobody else may read and write everything.'],
  last_identity_provider: [409, 'The account requires single sign-on, and this is its last identity provider.'],
  role_built_in: [409, 'Built-in roles cannot be changed or deleted.'],
  role_in_use: [409, 'Users or invitations still have this role, or an identity provider still gives it.'],
  link_gone: [410, 'This link does not work any more.'],
  precondition_failed: [
    412,
    'The object was changed since you read it. Read it again, compare, and repeat your change with the new ETag.',
  ],
  payload_too_large: [413, 'The request body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'Unsupported media type in request.'],
  range_not_satisfiable: [416, 'The file has no such bytes. The header Content-Range has its size.'],
  expectation_failed: [417, 'The header Expect can ask for 100-continue only.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was already used with another request body.'],
  throttled: [429, 'Request was throttled.'],
  headers_too_large: [431, 'The header fields of the request are larger than 16 KiB.'],
  internal_error: [500, 'An unexpected error happened. Quote the request id when you report it.'],
  identity_provider_unavailable: [
    502,
    'The identity provider cannot be reached, or its settings are wrong. Whoever set it up sees why in the settings.',
  ],
  unknown_outcome: [
    503,
    'The connection to the database broke before it confirmed the request, which may have been carried out or not. Repeat it with the same Idempotency-Key; if it had none, look first whether it was carried out.',
  ],
  disk_full: [503, 'The server has no room left on its disk. Nothing was stored. Try again later.'],
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

export const notFound = () => new ApiError('not_found');
