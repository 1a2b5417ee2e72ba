import type { JsonSchema } from '../validation/schemas/plain-schema.ts';

/**
 * What fields mean that say nothing themselves: by the model and the field (`Message.status`), or by the field alone where it means the
 * same everywhere.
 */
export type Descriptions = Readonly<Record<string, string>>;

/** The fields of a model, each with a description of its own, that of its model, or the one for all fields of its name. */
export function describeFields(
  fields: Record<string, JsonSchema>,
  model: string,
  { descriptions, isDescribed }: { descriptions: Descriptions; isDescribed(field: JsonSchema): boolean },
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (isDescribed(field)) return [name, field];
      const description = descriptions[`${model}.${name}`] ?? ofTag(field) ?? descriptions[name];
      return [name, description === undefined ? field : { ...field, description }];
    }),
  );
}

/** A field that tells the variants of a union apart. */
const ofTag = ({ const: only }: JsonSchema): string | undefined =>
  typeof only === 'string' ? `Always \`${only}\`.` : undefined;
