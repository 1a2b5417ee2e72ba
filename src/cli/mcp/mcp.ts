import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { productVersion } from '../../platform/version.ts';
import type { Api } from '../api.ts';
import { Complaint } from '../terminal.ts';
import { type ApiDocument, toolsFor } from './tools.ts';

const instructions =
  'Parley sends and receives WhatsApp messages, SMS and calls. Phone numbers may be written in any notation. Sending is asynchronous: ' +
  'an accepted message is QUEUED; read_timeline with its uuid as `subject` shows what became of it and why. People who opted out are not written to.';
/** More would fill the assistant's memory rather than inform it. */
const longestText = 50_000;

/** Serves assistants over the Model Context Protocol, with what the token may do. */
export async function serveAssistant(api: Api): Promise<void> {
  const { scopes } = await api.call('GET', '/v2/auth/session/', undefined, { repeatable: true });
  const document: ApiDocument = await api.call('GET', '/openapi.json', undefined, { repeatable: true });
  const tools = toolsFor(document, scopes);
  if (tools.length === 0)
    throw new Complaint('This token may do nothing that an assistant could: it has no scope for any tool.', 2);
  await serveProtocol(
    {
      name: 'parley',
      version: productVersion(),
      instructions,
      tools: tools.map(({ requestOf: _, ...shown }) => shown),
      async call(name, given) {
        const { method, path, body } = tools.find((tool) => tool.name === name)!.requestOf(given);
        try {
          const isRead = method === 'GET';
          const headers: Record<string, string> = isRead ? {} : { 'idempotency-key': `mcp-${randomUUID()}` };
          const answer = await api.call(method, path, body, { repeatable: true, headers });
          return { text: shortened(JSON.stringify(answer ?? {}, null, 1)), isError: false };
        } catch (error) {
          if (error instanceof Complaint) return { text: error.message, isError: true };
          throw error;
        }
      },
    },
    process.stdin,
    process.stdout,
  );
}

const shortened = (text: string): string =>
  text.length <= longestText
    ? text
    : `${text.slice(0, longestText)}\n… The rest is left out: ask for fewer rows with page_size, or filter.`;

/** The Model Context Protocol on standard input and output: JSON-RPC 2.0, a message on each line. */

export interface Server {
  name: string;
  version: string;
  instructions: string;
  tools: { name: string; description: string; inputSchema: object; annotations: object }[];
  /** Answers what a tool says, and whether it is an error that the assistant may mend. */
  call(name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

/** Of these the one that the client asks for is spoken, or else the newest. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const errors = { parse: -32700, invalid: -32600, unknownMethod: -32601, badParams: -32602, internal: -32603 };
const longestLine = 4 * 1024 * 1024;

interface Request {
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
}

class ProtocolError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Serves until the input ends; what is under way then is answered first. */
export async function serveProtocol(server: Server, input: Readable, output: Writable): Promise<void> {
  const answer = (message: object): void => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const handle = async (line: string): Promise<void> => {
    let id: unknown = null;
    try {
      const request = read(line);
      id = request.id;
      const result = await carryOut(server, request);
      // A notification has no id, and gets no answer.
      if (id !== undefined) answer({ id, result });
    } catch (error) {
      const isOurs = error instanceof ProtocolError;
      const code = isOurs ? error.code : errors.internal;
      if (id !== undefined) answer({ id, error: { code, message: isOurs ? error.message : 'Internal error' } });
      if (!isOurs) console.error(error);
    }
  };
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const done = handle(line).finally(() => underWay.delete(done));
    underWay.add(done);
  }
  await Promise.all(underWay);
}

function read(line: string): Request {
  if (line.length > longestLine) throw new ProtocolError(errors.invalid, 'The message is too long');
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new ProtocolError(errors.parse, 'Parse error');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new ProtocolError(errors.invalid, 'Invalid request');
  }
  return request;
}

async function carryOut(server: Server, { method, params = {} }: Request): Promise<object> {
  if (typeof method !== 'string') throw new ProtocolError(errors.invalid, 'Invalid request');
  if (method.startsWith('notifications/')) return {};
  switch (method) {
    case 'initialize': {
      const wanted = String(params['protocolVersion']);
      return {
        protocolVersion: versions.includes(wanted) ? wanted : versions[0],
        capabilities: { tools: {} },
        serverInfo: { name: server.name, version: server.version },
        instructions: server.instructions,
      };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: server.tools };
    case 'tools/call': {
      const name = String(params['name']);
      if (!server.tools.some((tool) => tool.name === name)) {
        throw new ProtocolError(errors.badParams, `Unknown tool: ${name}`);
      }
      const given = (params['arguments'] ?? {}) as Record<string, unknown>;
      const { text, isError } = await server.call(name, given);
      return { content: [{ type: 'text', text }], ...(isError && { isError }) };
    }
    default:
      throw new ProtocolError(errors.unknownMethod, `Method not found: ${method}`);
  }
}
