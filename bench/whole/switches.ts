import path from 'node:path';
import { missingStore, startStore } from '../../test/kit/files/store.ts';
import { missingPgBouncer, startPgBouncer } from '../../test/kit/postgres/pgbouncer.ts';
import { startPostgresPair } from '../../test/kit/postgres/postgres-pair.ts';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { connections, postMessages } from '../kit/load.ts';
import { messagesPath } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const fileBytes = 100_000;
const pngStart = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * What the switches of docs/operations/scaling.md cost where they are not needed yet: a pooler before the database, a file store instead of the
 * disk, a replica for lists. Each beside a server without it, on the same database, in turns. That one does not wait for its disk, so that the
 * way is what is measured.
 */
export async function switches({ scope, quick, progress }: Run): Promise<Figure[]> {
  if (missingPgBouncer || missingStore) {
    progress(`left out: ${missingPgBouncer || missingStore}`);
    return [];
  }
  const pair = await startPostgresPair();
  scope.defer(() => pair.stop());
  const bouncer = await startPgBouncer(pair.primary, 30);
  scope.defer(() => bouncer.stop());
  const directory = await makeDataDirectory(scope);
  const store = await startStore(path.join(directory, 'objects'));
  scope.defer(() => store.stop());
  const start = (name: string, settings: Record<string, string>): Promise<Server> =>
    startParley(scope, {
      dataDirectory: path.join(directory, name),
      roles: 'api',
      settings: { DATABASE_URL: pair.primary.url, ...settings },
    });
  const plain = await start('plain', {});
  const pooled = await start('pooled', { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: pair.primary.url });
  const stored = await start('stored', { FILES_URL: store.url('bench') });
  const reading = await start('reading', { DATABASE_READ_URL: pair.standby.url });

  const rate = async (server: Server): Promise<number> => {
    const { requestsPerSecond, failed } = await postMessages(scope, server, quick ? 3 : 10);
    if (failed > 0) throw new Error(`${failed} requests were not answered with success`);
    return requestsPerSecond;
  };
  const upload = async (server: Server): Promise<{ uuid: string }> => {
    const form = new FormData();
    form.set('file', new Blob([pngStart, Buffer.alloc(fileBytes - pngStart.length)], { type: 'image/png' }), 'a.png');
    const answer = await fetch(`${server.url}/v2/chatapp/template-media/`, {
      method: 'POST',
      headers: { authorization: `Token ${server.token}` },
      body: form,
    });
    if (!answer.ok) throw new Error(`An upload: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { uuid: string };
  };
  const list = (server: Server): Promise<unknown> => call(server, 'GET', `${messagesPath}?page_size=25`);

  const [rates, repeats] = [await inTurns([plain, pooled], rate, quick ? 2 : 3), quick ? 60 : 300];
  progress(`messages/s: ${rates.map((some) => some.map(Math.round).join(' ')).join(' | ')}`);
  const uploads = await inTurns([plain, stored], timed(upload), repeats);
  const lists = await inTurns([plain, reading], timed(list), repeats);
  const [one, two] = rates.map(median) as [number, number];
  return [
    {
      row: 'switches',
      what: `POST a template message, ${connections} connections, PgBouncer in transaction mode before the database`,
      figure: two,
      unit: 'requests/s',
      reference: { what: 'without it', figure: one },
      ratio: two / one,
    },
    figureOf('Upload of 100 kB, one at a time, FILES_URL to an S3 server on this machine', 'to the disk', uploads),
    figureOf('A page of 25 messages, one at a time, DATABASE_READ_URL', 'from the primary', lists),
  ];
}

const timed =
  (work: (server: Server) => Promise<unknown>) =>
  async (server: Server): Promise<number> => {
    const startedMs = performance.now();
    await work(server);
    return performance.now() - startedMs;
  };

/** What each server got, so often; what disturbs the machine disturbs them alike. The first round does not count. */
async function inTurns(
  servers: Server[],
  work: (server: Server) => Promise<number>,
  rounds: number,
): Promise<number[][]> {
  const got = servers.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const one = await work(server);
      if (round >= 0) got[index]!.push(one);
    }
  }
  return got;
}

function figureOf(what: string, reference: string, [without, with_]: number[][]): Figure {
  const [one, other] = [median(without!), median(with_!)];
  return {
    row: 'switches',
    what,
    figure: other,
    unit: 'ms',
    reference: { what: reference, figure: one },
    ratio: other / one,
    p50Ms: other,
    p99Ms: quantile(with_!, 0.99),
  };
}
