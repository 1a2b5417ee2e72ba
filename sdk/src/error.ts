/** Sentences by field, nested as the request is nested. `non_field_errors` speaks of the whole object. */
export type FieldErrors = { [field: string]: string[] | FieldErrors | FieldErrors[] };

interface ErrorFields {
  status: number;
  code: string;
  detail: string;
  fieldErrors?: FieldErrors;
  requestId?: string | undefined;
  cause?: unknown;
}

/** Any answer other than success, and no answer at all. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The status of the answer; 0: none came. */
  readonly status: number;
  /**
   * A word for machines: that of the answer (docs/errors.md lists them); `invalid` when fields are wrong; `unreachable` or
   * `timed_out` when no answer came; `unexpected_answer` when something in between answered.
   */
  readonly code: string;
  /** A sentence for people. */
  readonly detail: string;
  /** What is wrong with which field; empty for other errors. */
  readonly fieldErrors: FieldErrors;
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;

  constructor({ status, code, detail, fieldErrors = {}, requestId, cause }: ErrorFields) {
    super(detail, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fieldErrors = fieldErrors;
    this.requestId = requestId;
  }
}

/** What an unsuccessful answer says; `body` is its JSON, or its text if it is none. */
export function errorOf(response: Response, body: unknown): ParleyError {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (typeof body === 'object' && body !== null) {
    const { detail, code } = body as { detail?: unknown; code?: unknown };
    if (typeof detail === 'string' && typeof code === 'string')
      return new ParleyError({ status, code, detail, requestId });
    // The errors of a list come as a list, one entry per item; its keys become 0, 1, 2…
    if (status === 400) {
      const fieldErrors: FieldErrors = { ...(body as FieldErrors) };
      return new ParleyError({ status, code: 'invalid', detail: inWords(fieldErrors), fieldErrors, requestId });
    }
  }
  const detail = `The answer was ${status} ${response.statusText}`.trimEnd() + '.';
  return new ParleyError({ status, code: 'unexpected_answer', detail, requestId });
}

/** `to: Enter a valid phone number.`, one after the other. */
function inWords(errors: FieldErrors | FieldErrors[], path: string[] = []): string {
  return Object.entries(errors)
    .filter(([, value]) => !isEmpty(value))
    .map(([field, value]) => {
      const here = field === 'non_field_errors' ? path : [...path, field];
      if (!isSentences(value)) return inWords(value, here);
      return here.length > 0 ? `${here.join('.')}: ${value.join(' ')}` : value.join(' ');
    })
    .join(' ');
}

const isSentences = (value: FieldErrors[string]): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isEmpty = (value: FieldErrors[string]): boolean => Object.keys(value).length === 0;
