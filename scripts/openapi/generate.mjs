// Tries two client generators on the OpenAPI document: oazapfts for TypeScript, quicktype for Python. What they make must compile.
// (openapi-typescript makes the types of the SDK, which are compiled with everything else.)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSource } from 'oazapfts';
import { InputData, JSONSchemaInput, JSONSchemaStore, quicktype } from 'quicktype-core';

const [document] = process.argv.slice(2);
const { components } = JSON.parse(readFileSync(document, 'utf8'));

async function typeScriptClient(folder) {
  const source = await generateSource(path.resolve(document));
  const file = path.join(folder, 'client.ts');
  writeFileSync(file, source);
  const compiler = path.join(import.meta.dirname, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
  run('The client that oazapfts makes does not compile', process.execPath, [compiler, ...options, file]);
  return source.split('\n').length;
}

async function pythonModels(folder) {
  const input = new JSONSchemaInput(new NoStore());
  // References stay within one document; a model that holds them all keeps every one.
  const definitions = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const names = Object.keys(definitions);
  const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  await input.addSource({
    name: 'Everything',
    schema: JSON.stringify({ type: 'object', properties: all, definitions }),
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang: 'python', rendererOptions: { 'python-version': '3.7' } });
  const file = path.join(folder, 'models.py');
  writeFileSync(file, lines.join('\n'));
  if (!spawnSync('python3', ['--version']).error) {
    run('The models that quicktype makes are no Python', 'python3', ['-m', 'py_compile', file]);
  }
  return lines.length;
}

/** There is nothing to fetch: the document holds all it refers to. */
class NoStore extends JSONSchemaStore {
  async fetch() {
    return undefined;
  }
}

function run(complaint, program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${complaint}:\n${`${stdout}${stderr}`.slice(0, 4000)}`);
}

// Where the client finds the package that it runs on.
const folder = mkdtempSync(path.join(import.meta.dirname, 'node_modules', '.tried-'));
try {
  console.log(`oazapfts: ${await typeScriptClient(folder)} lines of TypeScript`);
  console.log(`quicktype: ${await pythonModels(folder)} lines of Python`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
