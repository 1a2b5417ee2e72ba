import { type TObject, type TSchema, Type } from 'typebox';

/** One of the fields and no other; when none is given, the first is asked for. */
export function exactlyOne(names: string[], fields: TObject): TSchema {
  const sentence = `Give ${names.join(' or ')}, not ${names.length === 2 ? 'both' : 'several'}.`;
  const absent = { not: {}, 'x-message': sentence };
  const [first, ...others] = names;
  const choice = others.reduceRight<object>((otherwise, name) => {
    const rivals = names.filter((rival) => rival !== name).map((rival) => [rival, absent]);
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: has(name), then: { properties: Object.fromEntries(rivals) }, else: otherwise };
  }, has(first!));
  return Type.Unsafe({ ...fields, ...choice });
}

/** A condition: the field is there. */
export function has(field: string) {
  return { type: 'object', properties: { [field]: {} }, required: [field] };
}
