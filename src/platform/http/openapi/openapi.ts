import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { errorTable } from '../../errors.ts';
import { objectOf, showsObject } from '../entity-tags.ts';
import { inWords } from '../files/upload.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, typesOf } from '../validation/plain-schema.ts';
import { DetailBody, ErrorsBody, ValidationError } from './models.ts';
import { type Descriptions, type Print, refTo, schemaPrinter } from './schemas.ts';
import { conditions, headerRefs, headers, securitySchemes } from './shared-parts.ts';
import { type EventOperation, printWebhooks } from './webhooks.ts';

/** What the document says of an operation: a route without its code. */
export type Operation = Omit<Route<unknown>, 'handler'>;

/** An operation of the document. */
interface Printed extends Operation {
  /** It reads or changes an object that has an entity tag. */
  hasTag: boolean;
}

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
}

/** Words of the document that the routes do not have. */
export interface DocumentWords {
  /** Descriptions of fields and parameters that have none of their own. */
  fields?: Descriptions;
  /** Descriptions of tags. */
  tags?: Readonly<Record<string, string>>;
  /** Answers by the id of the operation and the status. */
  answers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The OpenAPI 3.1 document of the routes: made from the very schemas that check requests, so that it cannot differ from them. */
export function openApiDocument(
  described: readonly Operation[],
  info: DocumentInfo,
  events: readonly EventOperation[] = [],
  { fields = {}, tags = {}, answers = {} }: DocumentWords = {},
): object {
  const { print, models } = schemaPrinter(fields);
  const operations = described.map((one): Printed => ({ ...one, hasTag: objectOf(one, described) !== undefined }));
  const byMethod = (sharers: Printed[]) =>
    Object.fromEntries(
      sharers.map((operation) => [
        operation.method.toLowerCase(),
        printOperation(operation, print, fields, answers[operation.operationId]),
      ]),
    );
  refuseSharedIds(operations);
  const byPath = Map.groupBy(operations, (operation) => printPath(operation.url));
  const paths = Object.fromEntries([...byPath].map(([path, sharers]) => [path, byMethod(sharers)]));
  const webhooks = printWebhooks(events, print);
  for (const model of [DetailBody, ErrorsBody, ValidationError]) print(model);
  const statuses = [...new Set(operations.flatMap(errorStatuses))].sort();
  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This server' }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({
      name,
      ...(tags[name] && { description: tags[name] }),
    })),
    paths,
    ...webhooks,
    components: {
      schemas: Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(statuses.map((status) => [errorName(status), printError(status)])),
      headers,
      securitySchemes,
    },
  };
}

type Answers = Readonly<Record<string, unknown>>;

function refuseSharedIds(operations: readonly Operation[]): void {
  for (const [id, sharers] of Map.groupBy(operations, ({ operationId }) => operationId)) {
    if (sharers.length > 1) throw new Error(`Two operations have the id "${id}".`);
  }
}

/** `/v2/auth/tokens/:uuid` → `/v2/auth/tokens/{uuid}/`: served with and without the slash, documented with it. */
const printPath = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}').replace(/^\/v\d.*[^/]$/, '$&/');

const needsToken = ({ scope }: Operation): boolean => scope !== 'public';
const takesKey = (operation: Operation): boolean => operation.method === 'POST' && needsToken(operation);
const isChange = (operation: Operation): boolean => operation.method !== 'GET' && operation.body !== undefined;
const fieldsOf = (schema: TSchema | undefined): Record<string, JsonSchema> => (schema as JsonSchema)?.properties ?? {};

function printOperation(operation: Printed, print: Print, words: Descriptions, answers: Answers = {}): object {
  const { operationId, summary, tag } = operation;
  const body = requestSchema(operation);
  const parameters = printParameters(operation, print, words);
  return {
    operationId,
    summary,
    description: [operation.description, operation.csv && csvSentence, scopeSentence(operation)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [tag],
    security: needsToken(operation) ? Object.keys(securitySchemes).map((name) => ({ [name]: [] })) : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: isRequired(body),
        content: printContent(body, print, `${modelOf(operation)}Body`, operation.example),
      },
    }),
    responses: printResponses(operation, print, answers),
    ...(operation.callback && { callbacks: printCallback(operation.callback, print) }),
  };
}

function printCallback({ field, body }: NonNullable<Operation['callback']>, print: Print): object {
  const requestBody = { required: true, content: printContent(body, print, 'Callback') };
  const responses = {
    '2XX': { description: 'It was received; anything else is tried again.' },
    410: { description: 'Gone: the address is left alone for a day.' },
  };
  const post = { summary: 'Tells how it ended', security: [], requestBody, responses };
  return { [field]: { [`{$request.body#/${field}}`]: { post } } };
}

const csvSentence =
  'With `Accept: text/csv`, returns every row that matches the filters as a CSV file; `page_size` and `cursor` have no effect.';
const csvContent = { 'text/csv': { schema: { type: 'string' } } };

function scopeSentence({ scope }: Operation): string {
  if (scope === 'public') return 'No token is needed.';
  return scope === 'any' ? 'Scope: any token.' : `Scope: \`${scope}\`.`;
}

/** The body, or the form: a file, and the other fields beside it. */
function requestSchema({ body, upload }: Operation): TSchema | undefined {
  if (!upload) return body;
  const { properties, required = [], ...rest } = (body ?? { type: 'object' }) as JsonSchema;
  const file = { type: 'string', format: 'binary', description: `At most ${inWords(upload.mostBytes)}.` };
  return {
    ...rest,
    contentMediaType: 'multipart/form-data',
    properties: { file, ...properties },
    required: ['file', ...required],
  } as TSchema;
}

/** An absent body is read as an empty object, which some operations accept. */
function isRequired(body: TSchema): boolean {
  const schema: JsonSchema = { ...body };
  return !typesOf(schema).includes('object') || (schema.required ?? []).length > 0;
}

function printParameters(operation: Printed, print: Print, words: Descriptions): object[] {
  const inPath = [...operation.url.matchAll(/:(\w+)/g)].map(([, name]) => {
    const field = fieldsOf(operation.params)[name!] ?? { type: 'string' };
    return printParameter('path', name!, field, true, print, words);
  });
  const required = (operation.query as JsonSchema | undefined)?.required ?? [];
  const inQuery = Object.entries(fieldsOf(operation.query)).map(([name, field]) =>
    printParameter('query', name, field, required.includes(name) && field.default === undefined, print, words),
  );
  const condition = operation.method === 'GET' ? conditions.GET : conditions.change;
  return [
    ...inPath,
    ...inQuery,
    ...(takesKey(operation) ? [idempotencyKey] : []),
    ...(operation.hasTag ? [condition] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes the request safe to repeat: for 24 hours, the same key and body get the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function printParameter(
  place: 'path' | 'query',
  name: string,
  field: JsonSchema,
  required: boolean,
  print: Print,
  words: Descriptions,
) {
  const { description = field['description'] ?? words[name], ...schema } = print(field);
  return { name, in: place, required, ...(description !== undefined && { description }), schema };
}

/** The name that begins the names of an operation's unnamed unions. */
const modelOf = ({ operationId }: Operation): string => operationId.charAt(0).toUpperCase() + operationId.slice(1);

/** JSON, unless the schema says `contentMediaType`: an upload, a file. */
function printContent(schema: TSchema, print: Print, hint: string, example?: unknown): object {
  const { contentMediaType = 'application/json', ...rest } = schema as JsonSchema;
  return { [String(contentMediaType)]: { schema: print(rest, hint), ...(example !== undefined && { example }) } };
}

function printResponses(operation: Printed, print: Print, examples: Answers): object {
  const sent = headerRefs([
    'X-Request-Id',
    ...(needsToken(operation) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(requestSchema(operation) || operation.query ? (['Parley-Ignored-Fields'] as const) : []),
    ...(isChange(operation) ? (['Parley-Warnings'] as const) : []),
    ...(takesKey(operation) ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.hasTag && showsObject(operation) ? (['ETag'] as const) : []),
  ]);
  const unchanged = { description: 'The version in `If-None-Match` is the current one.', headers: sent };
  const answers = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    {
      description: STATUS_CODES[status],
      headers: sent,
      ...(schema && {
        content: {
          ...printContent(schema, print, `${modelOf(operation)}Answer`, examples[status]),
          ...(operation.csv && csvContent),
        },
      }),
    },
  ]);
  const errors = errorStatuses(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${errorName(status)}` },
  ]);
  const known = operation.hasTag && operation.method === 'GET' ? [[304, unchanged]] : [];
  return Object.fromEntries([...answers, ...known, ...errors]);
}

/** The errors that follow from what an operation takes, and those that it names itself. */
function errorStatuses(operation: Printed): number[] {
  const { query, params, scope, responses, errors = [] } = operation;
  const body = requestSchema(operation);
  const when = (condition: unknown, ...statuses: number[]) => (condition ? statuses : []);
  const all = [
    ...when(body || query || takesKey(operation), 400),
    ...when(needsToken(operation), 401, 429),
    ...when(needsToken(operation) && scope !== 'any', 403),
    ...when(params || 'cursor' in fieldsOf(query), 404),
    ...when(takesKey(operation), 409, 422),
    ...when(operation.hasTag && operation.method !== 'GET', 400, 412),
    ...when(body, 413, 415),
    ...errors,
    500,
  ];
  return [...new Set(all)].filter((status) => !(status in responses));
}

/** 404 → `NotFound`. */
const errorName = (status: number): string => (STATUS_CODES[status] ?? `Error${status}`).replaceAll(/\W/g, '');

function printError(status: number): object {
  const known = Object.entries(errorTable).filter(([, [knownStatus]]) => knownStatus === status);
  const sentences = known.map(([code, [, sentence]]) => `\`${code}\`: ${sentence}`);
  const detail = { $ref: refTo('DetailBody') };
  const fieldErrors = { $ref: refTo('ValidationError') };
  const isFieldError = status === 400;
  return {
    description: [...(isFieldError ? ['Errors by field.'] : []), ...sentences].join('\n\n') || STATUS_CODES[status],
    headers: headerRefs([
      'X-Request-Id',
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 409 || status === 429 ? (['Retry-After'] as const) : []),
      ...(status === 412 ? (['ETag'] as const) : []),
    ]),
    content: {
      'application/json': {
        schema: isFieldError ? { anyOf: [fieldErrors, detail] } : detail,
        ...(!isFieldError && known[0] && { example: { detail: known[0][1][1], code: known[0][0] } }),
      },
    },
  };
}
