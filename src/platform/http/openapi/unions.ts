import type { JsonSchema } from '../validation/schemas/plain-schema.ts';
import { inPascalCase } from './names.ts';

export type Model = JsonSchema & { title: string };
export const isModel = (schema: JsonSchema): schema is Model =>
  typeof schema['title'] === 'string' && /^[A-Z][A-Za-z0-9]+$/.test(schema['title']);

export const refTo = (title: string) => `#/components/schemas/${title}`;

export const isTagged = ({ discriminator, oneOf }: JsonSchema): boolean => Boolean(discriminator && oneOf);

/**
 * A discriminator speaks of named schemas only (OpenAPI 3.1.1, 4.8.25), so the variants of a named union are named after
 * it: `text` of `Reply` is `ReplyText`. Each variant has the shared fields too: many client generators read nothing of a union but its
 * variants.
 */
export function withNamedVariants(schema: JsonSchema): JsonSchema {
  const { discriminator, oneOf, type, properties, required, ...rest } = schema;
  if (!discriminator || !oneOf || !isModel(schema)) return schema;
  const tag = discriminator.propertyName;
  const variants = oneOf.map((variant): Model => {
    const name = String(variant.properties?.[tag]?.const);
    const whole = withFields(variant, { type, properties, required });
    if (isModel(variant) && variant.title !== name) return { ...whole, title: variant.title };
    return { ...whole, title: schema.title + inPascalCase(name) };
  });
  const mapping = Object.fromEntries(
    variants.map((variant) => [String(variant.properties?.[tag]?.const), refTo(variant.title)]),
  );
  return {
    ...rest,
    ...(type && { type }),
    oneOf: variants,
    discriminator: { propertyName: tag, mapping } as JsonSchema['discriminator'],
  };
}

/** A variant's own word on a field counts. */
function withFields(variant: JsonSchema, shared: { [K in keyof JsonSchema]?: JsonSchema[K] | undefined }): JsonSchema {
  if (!shared.properties) return variant;
  return {
    ...variant,
    type: variant.type ?? shared.type ?? 'object',
    properties: { ...shared.properties, ...variant.properties },
    required: [...new Set([...(shared.required ?? []), ...(variant.required ?? [])])],
  };
}
