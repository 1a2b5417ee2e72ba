import { inPascalCase } from '../../src/platform/http/openapi/schemas.ts';
import { commentLines, isIdentifier, type Schema } from './document.ts';

/** Writes models as TypedDicts: what goes over the wire is what a program has in hand, with types and at no cost. */
export function modelWriter() {
  const written = new Map<string, string>();

  const define = (name: string, schema: Schema): void => {
    if (written.has(name)) return;
    written.set(name, '');
    written.set(name, isObject(schema) ? typedDict(name, schema) : alias(name, schema));
  };

  /** The type of a schema. Where it stands gives an object without a name one; `prefix` is the module that has the models. */
  const typeOf = (schema: Schema, hint: string, prefix = ''): string => {
    const { $ref, type, enum: choices, items, additionalProperties: values } = schema;
    if ($ref !== undefined) return prefix + $ref.split('/').at(-1)!;
    if ('const' in schema) return literal([schema.const]);
    if (choices) return literal(choices);
    const union = schema.oneOf ?? schema.anyOf;
    if (union) return oneOf(union.map((one) => typeOf(one, hint, prefix)));
    if (Array.isArray(type)) return oneOf(type.map((one) => typeOf({ ...schema, type: one }, hint, prefix)));
    if (isObject(schema)) {
      const name = freeName(hint);
      define(name, schema);
      return prefix + name;
    }
    if (type === 'array') {
      return `list[${typeof items === 'object' ? typeOf(items, hint.replace(/(?<!s)s$/, ''), prefix) : 't.Any'}]`;
    }
    if (type === 'object') {
      return `dict[str, ${typeof values === 'object' ? typeOf(values, hint, prefix) : 't.Any'}]`;
    }
    return plain[type ?? ''] ?? 't.Any';
  };

  const freeName = (hint: string): string => {
    let name = hint;
    for (let count = 2; written.has(name); count++) name = `${hint}${count}`;
    return name;
  };

  const typedDict = (name: string, schema: Schema): string => {
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([field, one]) => {
      const type = typeOf(one, name + inPascalCase(field));
      return { field, type: required.includes(field) ? type : `t.NotRequired[${type}]`, description: one.description };
    });
    if (fields.every(({ field }) => isIdentifier(field))) {
      const lines = fields.flatMap(({ field, type, description }) => [
        ...comment(description, '    '),
        `    ${field}: ${type}`,
      ]);
      return `class ${name}(t.TypedDict):\n${docstring(schema)}${lines.join('\n') || '    pass'}\n`;
    }
    // A class cannot have a field called \`from\`. Names in quotes are looked up when everything is defined.
    const lines = fields.flatMap(({ field, type, description }) => [
      ...comment(description, '        '),
      `        ${JSON.stringify(field)}: ${type.replace(/^(t\.NotRequired\[)?(.*?)(\])?$/s, (_, open = '', inner) => (open ? `${open}${JSON.stringify(inner)}]` : JSON.stringify(type)))},`,
    ]);
    return `${comment(schema.description, '').join('\n')}${schema.description ? '\n' : ''}${name} = t.TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`;
  };

  const alias = (name: string, schema: Schema): string => {
    const above = comment(schema.description, '').map((line) => `${line}\n`);
    return `${above.join('')}${name}: t.TypeAlias = ${JSON.stringify(typeOf(schema, `${name}Value`))}\n`;
  };

  return { define, typeOf, text: () => [...written.values()].join('\n\n') };
}

const plain: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const isObject = (schema: Schema): boolean =>
  schema.properties !== undefined && !schema.oneOf && !schema.anyOf && !Array.isArray(schema.type);

const oneOf = (types: string[]): string => {
  const different = [...new Set(types)];
  return different.length === 1 ? different[0]! : `t.Union[${different.join(', ')}]`;
};

function literal(values: unknown[]): string {
  const inPython = (value: unknown): string =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? 'None' : JSON.stringify(value);
  return `t.Literal[${values.map(inPython).join(', ')}]`;
}

const comment = (text: string | undefined, indent: string): string[] =>
  text ? commentLines(text, 110 - indent.length).map((line) => `${indent}# ${line}`.trimEnd()) : [];

function docstring({ description }: Schema): string {
  if (!description) return '';
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `    """${commentLines(text, 110).join('\n    ')}"""\n\n`;
}
