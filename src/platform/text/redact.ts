/** What takes the place of a text that is not shown. */
export const redacted = '[redacted]';

/** Fields that hold what people said, or what was said to them, wherever they stand. */
const content: ReadonlySet<string> = new Set(['answers', 'digits', 'message_data', 'notes', 'text', 'transcript']);

/**
 * A copy without content: texts become `[redacted]`, numbers and the like null, in the fields that hold content; names of fields stay, so
 * that whoever reads it sees what kind of thing was said. `whole`: further fields of this object that hold content.
 */
export function redactContent(data: Record<string, unknown>, whole: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      content.has(name) || whole.includes(name) ? blank(value) : isObject(value) ? redactContent(value) : value,
    ]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function blank(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : redacted;
  if (Array.isArray(value)) return value.map(blank);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, blank(inner)]));
  return null;
}

/** In place of what was said by a message that is masked. */
export const masked = '[masked]';

/** What a message is made of, not what it says. */
const kept: ReadonlySet<string> = new Set(['type', 'sub_type', 'index', 'template_name', 'language_code']);

/** A copy in which every text is `[masked]` and every number null, but for what names the template and its parts. */
export function maskContent(value: unknown, name = ''): unknown {
  if (kept.has(name) || value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((one) => maskContent(one));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskContent(inner, name)]));
  return typeof value === 'string' ? masked : null;
}

/** Whether what a sensitive message says is not shown any more. */
export const isMasked = (sensitive: number | undefined, status: string): boolean =>
  sensitive !== undefined && sensitive > 0 && status !== 'QUEUED' && status !== 'SENT';
