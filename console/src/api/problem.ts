/** An answer other than success, or none at all (`status` 0). */
export class ApiProblem extends Error {
  override name = 'ApiProblem';
  readonly status: number;
  /** The machine word of the error, such as `webhook_in_use`; empty when fields are at fault. */
  readonly code: string;
  /** One sentence for a person. */
  readonly detail: string;
  /** Sentences by field, nested ones joined by dots (`reply_data.buttons.0.title`), as Mantine names them. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;

  constructor(status: number, body: unknown, requestId: string | null = null) {
    const { detail, code } = (body ?? {}) as { detail?: unknown; code?: unknown };
    const spoken = typeof detail === 'string';
    const fields = spoken ? {} : flatten(body);
    const sentence = spoken ? detail : sentenceOf(status, fields);
    super(sentence);
    this.status = status;
    this.code = typeof code === 'string' ? code : '';
    this.detail = sentence;
    this.fields = fields;
    this.requestId = requestId;
  }
}

/** The sentence to show for whatever was thrown. */
export const sayProblem = (error: unknown): string =>
  error instanceof ApiProblem ? error.detail : 'Something went wrong. Reload the page and try again.';

function sentenceOf(status: number, fields: Record<string, string>): string {
  if (status === 0) return 'Cannot reach the server.';
  if (fields['non_field_errors']) return fields['non_field_errors'];
  const [first] = Object.entries(fields);
  return first ? `${first[0]}: ${first[1]}` : `The server answered ${status}.`;
}

/** DRF nests errors as the body is nested; a list of words is the leaf. */
export function flatten(body: unknown, prefix = ''): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  if (Array.isArray(body) && body.every((item) => typeof item === 'string'))
    return body.length > 0 ? { [prefix || 'non_field_errors']: body.map(sayPlainly).join(' ') } : {};
  const inside = Object.entries(body).map(([name, value]) => flatten(value, prefix ? `${prefix}.${name}` : name));
  return Object.assign({}, ...inside);
}

/** Sentences of the API that are written for programmers, as a form says them. */
const plain: [said: RegExp, better: string][] = [
  [/^Ensure this field has at least (\d+) characters\.$/, 'Use at least $1 characters.'],
  [/^Ensure this field has no more than (\d+) characters\.$/, 'Use at most $1 characters.'],
  [/^Ensure this value is greater than or equal to (.+)\.$/, 'Enter $1 or more.'],
  [/^Ensure this value is less than or equal to (.+)\.$/, 'Enter $1 or less.'],
  [/^This field may not be (?:blank|null)\.$/, 'This field is required.'],
];

function sayPlainly(sentence: string): string {
  const [said, better] = plain.find(([pattern]) => pattern.test(sentence)) ?? [];
  return said ? sentence.replace(said, better!) : sentence;
}
