// What `parley mcp` offers an assistant: tools that fit the API, within the token's scopes, over a protocol that survives nonsense.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { apiDocument, routes } from '../../src/app.ts';
import { serveProtocol } from '../../src/cli/mcp/mcp.ts';
import { type ApiDocument, choices, toolsFor } from '../../src/cli/mcp/tools.ts';

const document = apiDocument() as unknown as ApiDocument;
const everything = ['read', 'write'];

describe('the tools of parley mcp', () => {
  it('are operations of the API, each with the scope that this asks for', () => {
    const scopes = new Map(routes.map(({ operationId, scope }) => [operationId, scope]));
    for (const { name, operationId, scope } of choices) assert.equal(scopes.get(operationId), scope, name);
    assert.equal(toolsFor(document, everything).length, choices.length);
  });

  it('are those that the token may use', () => {
    const names = toolsFor(document, ['sms:read']).map(({ name }) => name);
    assert.deepEqual(names, ['get_sms', 'list_sms']);
    assert.ok(toolsFor(document, ['read']).every(({ annotations }) => annotations['readOnlyHint']));
  });

  it('describe their arguments by schemas that need nothing else', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, inputSchema } of toolsFor(document, everything)) {
      assert.doesNotMatch(JSON.stringify(inputSchema), /#\/components/, name);
      assert.ok(ajv.compile(inputSchema), name);
    }
  });

  it('make requests: names in the path, filters in the query, the rest in the body', () => {
    const tools = new Map(toolsFor(document, everything).map((tool) => [tool.name, tool]));
    assert.deepEqual(tools.get('get_message')!.requestOf({ uuid: 'a/b' }), {
      method: 'GET',
      path: '/v2/chatapp/messages/a%2Fb/',
    });
    assert.deepEqual(
      tools.get('list_sms')!.requestOf({ page_size: 2, status: 'FAILED' }).path,
      '/v2/sms-records/?page_size=2&status=FAILED',
    );
    assert.deepEqual(tools.get('send_sms')!.requestOf({ body: { to: '+44' } }), {
      method: 'POST',
      path: '/v2/send-sms/',
      body: { to: '+44' },
    });
  });
});

describe('the protocol', () => {
  const server = {
    name: 'test',
    version: '1',
    instructions: '',
    tools: [{ name: 'echo', description: '', inputSchema: { type: 'object' }, annotations: {} }],
    call: async (_: string, given: Record<string, unknown>) => ({ text: JSON.stringify(given), isError: false }),
  };
  async function ask(...lines: string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.end(`${lines.join('\n')}\n`);
    await serveProtocol(server, input, output);
    output.end();
    const answers = (await text(output)).split('\n').filter(Boolean);
    return answers.map((line) => JSON.parse(line));
  }
  const request = (id: number, method: string, params?: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });

  it('agrees on a version, lists and calls', async () => {
    const [hello, list, called] = await ask(
      request(1, 'initialize', { protocolVersion: '2025-03-26' }),
      request(2, 'tools/list'),
      request(3, 'tools/call', { name: 'echo', arguments: { a: 1 } }),
    );
    assert.equal(hello.result.protocolVersion, '2025-03-26');
    assert.equal(list.result.tools[0].name, 'echo');
    assert.deepEqual(called.result.content, [{ type: 'text', text: '{"a":1}' }]);
    const [other] = await ask(request(1, 'initialize', { protocolVersion: '1999-01-01' }));
    assert.equal(other.result.protocolVersion, '2025-11-25');
  });

  it('answers nonsense with an error, and goes on', async () => {
    const answers = await ask(
      'nonsense',
      '[]',
      '{"id":7}',
      request(8, 'no/such'),
      request(9, 'tools/call', { name: 'rm' }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      request(10, 'ping'),
    );
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [7, -32600],
        [8, -32601],
        [9, -32602],
        [10, undefined],
      ],
    );
  });
});
