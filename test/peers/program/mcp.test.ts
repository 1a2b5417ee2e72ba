// `parley mcp` as assistants use it: the official client starts it and calls its tools on a real server.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const sdk = path.join(import.meta.dirname, '..', 'mcp', 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm');
const isMissing = !existsSync(sdk) && process.env['REQUIRE_PEERS'] !== '1';
const skip = isMissing && 'needs @modelcontextprotocol/sdk (npm ci --prefix test/peers/mcp)';

// biome-ignore lint/suspicious/noExplicitAny: the client is installed apart, and its types with it
type Any = any;

describe('parley mcp', { skip, timeout: 600_000 }, () => {
  const token = 'a-token-for-assistants';
  let directory: string;
  let database: TestDatabase;
  let parley: Parley;
  let url: string;
  const clients: Any[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-mcp-'));
    database = await createTestDatabase();
    parley = startParley(path.join(directory, 'data'), { DATABASE_URL: database.url, BOOTSTRAP_TOKEN: token });
    url = await parley.ready();
  });
  after(async () => {
    for (const client of clients) await client.close();
    await killTree(parley.pid, path.join(directory, 'data'));
    await database.drop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  async function connect(as: string): Promise<Any> {
    const load = (file: string) => import(pathToFileURL(path.join(sdk, 'client', file)).href);
    const { Client } = await load('index.js');
    const { StdioClientTransport } = await load('stdio.js');
    const client = new Client({ name: 'test', version: '1' });
    const env = { PATH: process.env['PATH'] ?? '', PARLEY_URL: url, PARLEY_TOKEN: as };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }));
    clients.push(client);
    return client;
  }
  const call = async (client: Any, name: string, given: object) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    return { isError, text: content[0].text as string };
  };

  it('sends a message, looks it up, and explains its way', async () => {
    const client = await connect(token);
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool: Any) => tool.name === 'send_message'));
    const message = {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    };
    const sent = JSON.parse((await call(client, 'send_message', { body: message })).text);
    await until(
      async () => JSON.parse((await call(client, 'get_message', { uuid: sent.uuid })).text).status,
      (status) => status === 'READ',
    );
    const story = JSON.parse((await call(client, 'read_timeline', { subject: sent.uuid })).text);
    assert.ok(story.results.some((event: Any) => event.kind === 'message.delivered'));
    const refused = await call(client, 'send_message', { body: { ...message, to_chatapp_number: 'nobody' } });
    assert.ok(refused.isError);
    assert.match(refused.text, /to_chatapp_number/);
  });

  it('offers a token what it may do, and no more', async () => {
    const made = await fetch(`${url}/v2/auth/tokens/`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Assistant', scopes: ['sms:read'] }),
    });
    const { token: narrow } = (await made.json()) as { token: string };
    const client = await connect(narrow);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }: Any) => name),
      ['get_sms', 'list_sms'],
    );
    await assert.rejects(client.callTool({ name: 'send_sms', arguments: {} }), /Unknown tool/);
  });
});
