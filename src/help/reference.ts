/** The API reference as documents: one for each tag of the OpenAPI document. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
  'x-scope'?: string;
}
export interface ApiDocument {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function referenceOf(document: ApiDocument): { name: string; markdown: string }[] {
  const operations = Object.entries(document.paths).flatMap(([place, item]) =>
    methods.flatMap((method) => (item[method] ? [{ method, place, operation: item[method] }] : [])),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'Other');
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  return [...byTag].map(([tag, some]) => ({
    name: tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    markdown: [
      `# API: ${tag}`,
      described.get(tag) ?? '',
      ...some.map(({ method, place, operation }) => describe(document, method, place, operation)),
    ].join('\n\n'),
  }));
}

function describe(document: ApiDocument, method: string, place: string, operation: Operation): string {
  const { summary = '', description, parameters = [], requestBody, responses } = operation;
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const query = parameters.map(({ name, in: where, required, description: about, schema }) => [
    `\`${name}\``,
    where,
    `${typeOf(document, schema)}${required ? ', required' : ''}`,
    about ?? schema?.description ?? '',
  ]);
  const answers = Object.entries(responses).map(([status, { description: about, content }]) => {
    const [answer] = Object.values(content ?? {});
    return [`\`${status}\``, about ?? '', answer?.schema ? typeOf(document, answer.schema) : ''];
  });
  return [
    `## ${summary}`,
    `\`\`\`http\n${method.toUpperCase()} ${place}\n\`\`\``,
    description ?? '',
    query.length > 0 ? table(['Parameter', 'In', 'Type', 'Description'], query) : '',
    body?.schema ? `Body, \`${type}\`:\n\n${fields(document, body.schema)}` : '',
    body?.example ? `\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\`` : '',
    table(['Response', 'Meaning', 'Body'], answers),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The fields of an object, or of each of the objects that it may be. */
function fields(document: ApiDocument, schema: Schema): string {
  const { properties, required = [], ...rest } = resolve(document, schema);
  if (!properties) {
    const some = (rest.anyOf ?? rest.oneOf ?? rest.allOf ?? []).filter((one) => resolve(document, one).properties);
    return some.map((one) => fields(document, one)).join('\n\n') || typeOf(document, schema);
  }
  const rows = Object.entries(properties).map(([name, one]) => [
    `\`${name}\``,
    `${typeOf(document, one)}${required.includes(name) ? ', required' : ''}`,
    one.description ?? resolve(document, one).description ?? '',
  ]);
  return table(['Field', 'Type', 'Description'], rows);
}

function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name !== undefined && document.components?.schemas?.[name]) || schema;
}

function typeOf(document: ApiDocument, schema: Schema | undefined): string {
  if (!schema) return '';
  const name = schema.$ref?.split('/').at(-1) ?? schema.title;
  if (name && resolve(document, schema).properties) return name;
  const { type, format, enum: values, const: only, items, anyOf, oneOf } = resolve(document, schema);
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  const some = anyOf ?? oneOf;
  if (some) return [...new Set(some.map((one) => typeOf(document, one)))].join(' or ');
  if (type === 'array') return `array of ${typeOf(document, items) || 'anything'}`;
  return [type].flat().filter(Boolean).join(' or ') + (format ? ` (${format})` : '');
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
