import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A proxy between Parley and the platform, which may answer a message in the platform's place. */
export interface Gate {
  url: string;
  /** Where everything else goes. */
  target: string;
  /** Instead of the platform's answers to the next messages; the platform does not hear of these. */
  answers: Answer[];
  /** The numbers of those whose messages it answered itself, with the moment. */
  refused: { to: string; at: number }[];
  close(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
  const server = createServer((request, response) => void pass(gate, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    answers: [],
    refused: [],
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return gate;
}

async function pass(gate: Gate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const answer = url.endsWith('/messages') ? gate.answers.shift() : undefined;
  if (answer) {
    gate.refused.push({ to: JSON.parse(body.toString()).to, at: Date.now() });
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const headers = { authorization, 'content-type': type };
  const passed = await fetch(gate.target + url, { method, headers, ...(body.length > 0 && { body }) });
  response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text());
}
