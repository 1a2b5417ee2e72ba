// A Parley whose carrier takes everything at once and does nothing: it runs one campaign, and says how that went.
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../../src/platform/config.ts';
import { newId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/log.ts';
import { start } from '../../src/start.ts';
import { secretKey } from '../kit/server.ts';

const [url, dataDirectory, token, list, contacts, file] = process.argv.slice(2) as string[];
const sampleMs = 250;
const sender = '+447700900001';

export interface Sample {
  atMs: number;
  /** Messages that the carrier was given by then. */
  handed: number;
  rssMiB: number;
  /** How long the counters of the launch took to answer. */
  countersMs: number;
}

const config = readConfig({
  DATABASE_URL: url,
  DATA_DIR: dataDirectory,
  BOOTSTRAP_TOKEN: token,
  // As the server before it, which has drawn all of a lower limit for this minute.
  REQUESTS_PER_MINUTE: '1000000000',
});
const log = makeLog({ level: 'warn', pretty: false });
const running = await start({ config, connection: { connectionString: url! }, secretKeys: [secretKey], log });
let handed = 0;
running.deps.carriers.get('sandbox', 'chat').chat.send = async (_sender, messages) => {
  handed += messages.length;
  return messages.map(() => ({ kind: 'accepted', carrierMessageId: newId() }));
};

async function call<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
  const headers = { authorization: `Token ${token}` };
  const answer = await running.app.inject({ method, url: path, headers, ...(body && { payload: body }) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
  return answer.json() as T;
}

await call('POST', '/v2/chatapp/accounts/', {
  chatapp_number: sender,
  carrier: 'sandbox',
  messages_per_second: 10_000,
});
const template = {
  template_name: 'bench',
  language_code: 'en_GB',
  components: [{ type: 'body', parameters: [{ type: 'text', text: '{{ first_name }}' }] }],
};
const campaign = { name: 'Bench', channel: 'CHATAPP', sender, lists: [list], template, quiet_hours: false };
const { uuid } = await call<{ uuid: string }>('POST', '/v2/campaigns/', campaign);
const startedMs = performance.now();
const launch = await call<{ uuid: string }>('POST', `/v2/campaigns/${uuid}/launch/`, {});

const samples: Sample[] = [];
while (handed < Number(contacts)) {
  await new Promise((resolve) => setTimeout(resolve, sampleMs));
  const askedMs = performance.now();
  await call('GET', `/v2/campaign-logs/${launch.uuid}/`);
  const atMs = performance.now();
  const rssMiB = process.memoryUsage.rss() / 1024 / 1024;
  samples.push({ atMs: atMs - startedMs, handed, rssMiB, countersMs: atMs - askedMs });
}
await writeFile(file!, JSON.stringify(samples));
await running.stop();
