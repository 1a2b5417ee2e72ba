import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killTree, type Parley, startParley } from '../kit/program/parley-process.ts';
import { openInspector } from './inspector.ts';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

export interface Ask {
  method: string;
  /** As it goes out, whatever is in it. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The real program with an embedded PostgreSQL, as a process of its own that is asked only over the wire. */
export interface Target {
  port: number;
  sipPort: number;
  token: string;
  /** A full token without the scope `operator`, so that no case can lower the limits of this very account. */
  tenantToken: string;
  process: Parley;
  ask(request: Ask): Promise<Answer>;
  /** With the operator's token and a JSON body; fails unless the answer is 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the shape of what it made
  must(method: string, path: string, body?: object): Promise<any>;
  /** What is in use after a collection, in bytes. */
  memory(): Promise<{ heap: number; external: number; rss: number }>;
  stop(): Promise<void>;
}

const answerTimeoutMs = 60_000;
const token = 'token-of-the-fuzz-run';

export async function startTarget(platformUrl: string): Promise<Target> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-fuzz-'));
  const dataDir = path.join(directory, 'data');
  const sipPort = 30_000 + Math.floor(Math.random() * 20_000);
  const parley = startParley(dataDir, {
    NODE_OPTIONS: '--inspect=127.0.0.1:0 --max-semi-space-size=32',
    BOOTSTRAP_TOKEN: token,
    CLOUD_API_URL: platformUrl,
    CLOUD_API_TIMEOUT_SECONDS: '2',
    SIP_HOST: '127.0.0.1',
    SIP_PORT: String(sipPort),
    SIP_ALLOW: '127.0.0.0/8',
    SMPP_ALLOW: '127.0.0.0/8',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'error',
  });
  const url = new URL(await parley.ready());
  const port = Number(url.port);
  const inspector = await openInspector(parley.output());
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const ask = (request: Ask): Promise<Answer> => send({ agent, port }, request);
  const must: Target['must'] = async (method, path, body) => {
    const headers = { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await ask({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  const tenant = await must('POST', '/v2/auth/tokens/', { name: 'fuzz', scopes: ['read', 'write'] });
  return {
    port,
    sipPort,
    token,
    tenantToken: tenant.token,
    process: parley,
    ask,
    must,
    memory: () => inspector.memory(),
    async stop() {
      inspector.close();
      agent.destroy();
      parley.signal('SIGTERM');
      const ended = await Promise.race([parley.ended.then(() => true), sleep(180_000, false)]);
      if (!ended) await killTree(parley.pid, dataDir);
      await rm(directory, { recursive: true, force: true });
      if (!ended) throw new Error('It did not stop within three minutes of SIGTERM.');
    },
  };
}

function send({ agent, port }: { agent: http.Agent; port: number }, request: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = request;
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const sent = http.request({ host: '127.0.0.1', port, method, path, headers, agent, signal }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      // An event stream has no end; that it began is the answer.
      if (String(headers['content-type']).startsWith('text/event-stream')) {
        answer.destroy();
        return resolve({ status, headers, text: '' });
      }
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status, headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
