import type { JsonSchema } from '../validation/schemas/plain-schema.ts';

/**
 * Patterns as other languages read them too. JavaScript's word for any character, `[^]`, is written out. Classes of Unicode
 * characters (`\p{…}`, `\u{…}`) are known to few, and Python's `re` refuses them: such a pattern is checked by the server alone, and
 * the description says what it asks for.
 */
export function withPortablePattern(schema: JsonSchema): JsonSchema {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== 'string') return schema;
  if (!/\\[pu]\{/i.test(pattern)) return { ...schema, pattern: pattern.replaceAll('[^]', '[\\s\\S]') };
  return rest['description'] || !rest['x-message'] ? rest : { ...rest, description: rest['x-message'] };
}
