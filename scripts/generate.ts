/**
 * Writes every file that is made from others: the database types and the dumped schema from the migrations, the OpenAPI
 * document from the routes, the types and methods of the SDKs, the Postman collection, the table of errors, the sandbox's table of behaviours, the
 * tables of sizes, the example of settings. With `--check` it writes nothing, names the files that differ, and fails.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Cli } from 'kysely-codegen';
import pg from 'pg';
import type { TSchema } from 'typebox';
import { costTable, sizeTable } from '../bench/scale-model.ts';
import { apiDocument } from '../src/app.ts';
import { type Behaviour, behaviours } from '../src/carriers/sandbox/chat/behaviours.ts';
import { smsBehaviours } from '../src/carriers/sandbox/sms/behaviours.ts';
import { happeningOf, voiceBehaviours } from '../src/carriers/sandbox/voice/behaviours.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { errorTable } from '../src/platform/errors.ts';
import { type PostgresConnection, startEmbeddedPostgres } from '../src/platform/postgres/index.ts';
import { Settings } from '../src/platform/settings.ts';
import { dumpSchema } from './dump-schema.ts';
import { consoleScopes } from './generate-console.ts';
import { postmanCollection } from './generate-postman.ts';
import { pythonFiles } from './generate-python.ts';
import { sdkOperations, sdkTypes } from './generate-sdk.ts';

const root = path.join(import.meta.dirname, '..');
const typesFile = 'src/platform/db/types.ts';
const sdkOperationsFile = 'sdk/src/operations.ts';
const consoleScopesFile = 'console/src/api/operation-scopes.ts';

async function generate(): Promise<Map<string, string>> {
  const { types, schema } = await withMigratedDatabase(async (connection) => ({
    types: await format(await databaseTypes(connection), typesFile),
    schema: await databaseSchema(connection),
  }));
  const openapi = `${JSON.stringify(apiDocument(), null, 2)}\n`;
  return new Map([
    [typesFile, types],
    ['docs/schema.sql', schema],
    ['openapi.json', openapi],
    ['sdk/src/schema.d.ts', await sdkTypes(JSON.parse(openapi))],
    [sdkOperationsFile, await format(sdkOperations(JSON.parse(openapi)), sdkOperationsFile)],
    [consoleScopesFile, await format(consoleScopes(JSON.parse(openapi)), consoleScopesFile)],
    ...[...pythonFiles(JSON.parse(openapi))].map(([name, content]) => [`sdk-python/parley/${name}`, content] as const),
    ['docs/postman.json', `${JSON.stringify(postmanCollection(JSON.parse(openapi)), null, 1)}\n`],
    ['docs/errors.md', errorsPage()],
    ['docs/sandbox.md', await sandboxPage()],
    ['docs/scale.md', await scalePage()],
    ['.env.example', exampleSettings()],
  ]);
}

async function withMigratedDatabase<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-generate-'));
  try {
    const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
    const postgres = await startEmbeddedPostgres({ directory, progress: () => {}, settings });
    try {
      await migrate(postgres.connection, { progress: () => {} });
      return await work(postgres.connection);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function databaseTypes({ host, port, user, password, database }: PostgresConnection): Promise<string> {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return new Cli().generate({
    url: `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    dialect: 'postgres',
    // What the connection pool's parsers make of these types.
    typeMapping: { timestamptz: 'string', int8: 'number', json: 'unknown', jsonb: 'unknown' },
    dateParser: 'string',
    includePattern: 'public.*',
    excludePattern: 'schema_migrations',
    logLevel: 'error',
    outFile: null,
  });
}

async function databaseSchema(connection: PostgresConnection): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  return dumpSchema(client).finally(() => client.end());
}

/** As the formatter would leave it, so that the two agree. */
async function format(source: string, file: string): Promise<string> {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const formatter = spawn(process.execPath, [biome, 'format', `--stdin-file-path=${file}`], { cwd: root });
  formatter.stdin.end(source);
  const [formatted, complaint] = await Promise.all([text(formatter.stdout), text(formatter.stderr)]);
  if (formatted === '') throw new Error(`${file} cannot be formatted: ${complaint}`);
  return formatted;
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, [status, sentence]]) => `| ${status} | \`${code}\` | ${sentence} |`,
  );
  return `# Errors

Generated by \`npm run generate\` from \`src/platform/errors.ts\`; do not edit.

This page lists the error responses of the API, for developers who handle them.

If fields of a request are invalid, the response is 400 with messages by field, nested as the request is nested.
\`non_field_errors\` has the messages that concern the whole object:

\`\`\`json
{ "chatapp_number": ["This field is required."] }
\`\`\`

Any other error is \`{"detail": "…", "code": "…"}\`. Handle errors by \`code\`: its meaning never changes. \`detail\` is for
people and may be more specific than the text below. Every response has a request id in the header \`X-Request-Id\`; quote it when
you report a problem.

| Status | Code | Sentence |
|---|---|---|
${rows.join('\n')}
`;
}

/** These pages are written by hand, but for the tables between their marks. */
async function sandboxPage(): Promise<string> {
  const page = await pageOf('docs/sandbox.md');
  return page({
    behaviours: behaviourTable(behaviours, 'What comes back', receiptsOf),
    'sms-behaviours': behaviourTable(smsBehaviours, 'What comes back', receiptsOf),
    'voice-behaviours': behaviourTable(voiceBehaviours, 'A call to it', happeningOf),
  });
}

async function scalePage(): Promise<string> {
  const page = await pageOf('docs/scale.md');
  return page({ costs: costTable(), sizes: sizeTable() });
}

async function pageOf(file: string): Promise<(tables: Record<string, string>) => string> {
  const before = await readFile(path.join(root, file), 'utf8');
  return (tables) =>
    Object.entries(tables).reduce((page, [name, table]) => {
      const marked = new RegExp(`(<!-- ${name}:begin\\b[^\\n]*-->\\n).*(<!-- ${name}:end -->)`, 's');
      if (!marked.test(page)) throw new Error(`${file} has lost the marks around its table of ${name}.`);
      return page.replace(marked, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
    }, before);
}

function behaviourTable<B extends { title: string }>(
  behaviours: ReadonlyMap<number, B>,
  heading: string,
  inWords: (behaviour: B) => string,
): string {
  const rows = [...behaviours].map(
    ([ending, behaviour]) => `| 90${String(ending).padStart(2, '0')} | ${behaviour.title} | ${inWords(behaviour)} |`,
  );
  return `| The number ends in | What happens | ${heading} |\n|---|---|---|\n${rows.join('\n')}`;
}

function receiptsOf({ steps }: Behaviour): string {
  const words = steps.map(
    (step) => `${'status' in step ? step.status : 'the reply'} after ${pauseInWords(step.afterMs)}`,
  );
  return words.join(', ') || 'none';
}

const pauseInWords = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 3_600_000} h`);

function exampleSettings(): string {
  const lines = Object.entries<TSchema & { description?: string; default?: unknown }>(Settings.properties).map(
    ([name, setting]) => `# ${setting.description}\n# ${name}=${setting.default}\n`,
  );
  return `# Settings of Parley; all are optional. Generated by \`npm run generate\` from src/platform/settings.ts.\n\n${lines.join('\n')}`;
}

async function differs([file, content]: [string, string]): Promise<boolean> {
  return (await readFile(path.join(root, file), 'utf8').catch(() => undefined)) !== content;
}

const files = [...(await generate())];
const changed = [];
for (const file of files) if (await differs(file)) changed.push(file);

if (process.argv.includes('--check')) {
  for (const [name] of changed) console.log(`${name} is not what \`npm run generate\` makes.`);
  process.exitCode = changed.length > 0 ? 1 : 0;
} else {
  for (const [name, content] of changed) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), content);
    console.log(`${name} written.`);
  }
  console.log(`${files.length - changed.length} of ${files.length} files were up to date.`);
}
