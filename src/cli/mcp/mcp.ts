import { randomUUID } from 'node:crypto';
import { productVersion } from '../../platform/version.ts';
import type { Api } from '../api.ts';
import { Complaint } from '../complaint.ts';
import { serveProtocol } from './protocol.ts';
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
