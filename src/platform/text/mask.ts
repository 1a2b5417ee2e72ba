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
