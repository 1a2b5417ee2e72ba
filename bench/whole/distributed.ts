import path from 'node:path';
import pg from 'pg';
import { waitUntilRead } from '../chat/through.ts';
import { type Figure, median, type Run } from '../figures.ts';
import { connections, postMessages } from '../kit/load.ts';
import { message } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

/**
 * What messages cost where tables are distributed by account: beside a database that is not, on the same server, which `CITUS_URL` names, in turns.
 * One account, so one shard: several nodes can have as much each.
 */
export async function distributed({ scope, quick, progress }: Run): Promise<Figure[]> {
  const admin = process.env['CITUS_URL'];
  if (!admin) {
    progress('left out: CITUS_URL names no server with Citus');
    return [];
  }
  const directory = await makeDataDirectory(scope);
  const start = async (name: string, settings: Record<string, string>): Promise<Server> => {
    const url = new URL(admin);
    url.pathname = `/bench_${name}`;
    const client = new pg.Client(admin);
    await client.connect();
    scope.defer(() => client.end());
    await client.query(`create database bench_${name}`);
    scope.defer(() => client.query(`drop database bench_${name} with (force)`).then(() => {}));
    const server = await startParley(scope, {
      dataDirectory: path.join(directory, name),
      settings: { DATABASE_URL: url.href, ...settings },
    });
    await call(server, 'POST', '/v2/sandbox/clock/', { speed: 1000 });
    const { chatapp_number } = message;
    await call(server, 'POST', '/v2/chatapp/accounts/', { chatapp_number, messages_per_second: 100_000 });
    return server;
  };
  const servers = [await start('plain', {}), await start('distributed', { DATABASE_DISTRIBUTED: 'citus' })];

  const rates = servers.map((): { accepted: number[]; read: number[] } => ({ accepted: [], read: [] }));
  for (let round = -1; round < (quick ? 1 : 3); round++) {
    for (const [index, server] of servers.entries()) {
      const before = round < 0 ? 0 : (await waitUntilRead(server)).accepted;
      const startedMs = performance.now();
      const { requestsPerSecond, failed } = await postMessages(scope, server, quick ? 2 : 5);
      if (failed > 0) throw new Error(`${failed} messages were not accepted`);
      const { accepted } = await waitUntilRead(server);
      if (round < 0) continue;
      rates[index]!.accepted.push(requestsPerSecond);
      rates[index]!.read.push(((accepted - before) / (performance.now() - startedMs)) * 1000);
    }
  }
  progress(JSON.stringify(rates));
  const figureOf = (what: string, [plain, spread]: number[][]): Figure => ({
    row: 'distributed',
    what: `${what}, ${connections} connections, ROLES=all, tables distributed by account`,
    figure: median(spread!),
    unit: 'messages/s',
    reference: { what: 'tables of a plain PostgreSQL', figure: median(plain!) },
    ratio: median(spread!) / median(plain!),
  });
  return [
    figureOf(
      'accept a template message while others are delivered',
      rates.map(({ accepted }) => accepted),
    ),
    figureOf(
      'from POST to READ in the sandbox',
      rates.map(({ read }) => read),
    ),
  ];
}
