import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Run } from '../figures.ts';
import { readCpu } from '../kit/cpu.ts';
import { startDatabase } from '../kit/database.ts';
import { endChild, hasEnded, startChild } from '../kit/processes.ts';
import { call, makeDataDirectory, startParley } from '../kit/server.ts';

const rates = [10, 20, 40, 60, 80, 120, 160, 240, 320, 400];
const [ours, callee, caller] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const [sipPort, calleePort, callerPort] = [15_060, 15_070, 15_080];
const target = 400;
/** The compiler's work on the first calls is not what is measured. */
const warmUp = { rate: 160, seconds: 10 };

/** Calls that SIPp makes to a number, forwarded to another SIPp: how many a second, before one packet has to be repeated. */
export async function calls({ scope, quick, progress }: Run): Promise<Figure[]> {
  const seconds = quick ? 4 : 10;
  const dataDirectory = await makeDataDirectory(scope);
  const database = await startDatabase(scope, dataDirectory);
  const { rows } = await database.client.query('select pg_backend_pid() as pid');
  const settings = {
    DATABASE_URL: database.url,
    SIP_ALLOW: '127.0.0.0/8',
    SIP_HOST: ours,
    SIP_PORT: String(sipPort),
    RTP_PORTS: '30000-39999',
  };
  const parley = await startParley(scope, { dataDirectory, settings });
  const trunk = { name: 'SIPp', host: callee, port: calleePort, allowed_addresses: ['127.0.0.0/8'] };
  const wanted = { country_code: 'GB', target_number: '+447700900999' };
  const { number } = await call<{ number: string }>(parley, 'POST', '/v2/number/', wanted);
  await call(parley, 'POST', '/v2/sip-trunks/', trunk);
  startChild(scope, ['sipp', '-sn', 'uas', '-i', callee, '-p', String(calleePort), '-nostdin'], { cwd: dataDirectory });
  await sleep(2000);
  await dial(warmUp.rate, warmUp.seconds, 'warm-up');

  let best = { rate: 0, nodeMs: 0, postgresMs: 0 };
  for (const rate of rates) {
    const before = await readCpu(parley.pid, rows[0].pid);
    const { failed, repeated } = await dial(rate, seconds, String(rate));
    const after = await readCpu(parley.pid, rows[0].pid);
    const each = (name: 'node' | 'postgres'): number => (after[name] - before[name]) / (rate * seconds);
    const [nodeMs, postgresMs] = [each('node'), each('postgres')];
    progress(
      `${rate} calls/s: ${failed} failed, ${repeated} packets repeated; ms each: Node ${nodeMs}, PostgreSQL ${postgresMs}`,
    );
    if (failed > 0 || repeated > 0) break;
    best = { rate, nodeMs, postgresMs };
  }
  return [
    {
      row: 'calls',
      what: 'SIP calls set up, forwarded, answered and recorded in the database, none with a packet repeated',
      figure: best.rate,
      unit: 'calls/s',
      target: `≥ ${target}`,
      met: best.rate >= target,
      details: { 'CPU ms of Node per call': best.nodeMs, 'CPU ms of PostgreSQL per call': best.postgresMs },
    },
  ];

  /** SIPp's own caller at a rate, each call for a second. */
  async function dial(rate: number, seconds: number, name: string): Promise<{ failed: number; repeated: number }> {
    const file = path.join(dataDirectory, `calls-${name}.csv`);
    const limits = ['-r', String(rate), '-m', String(rate * seconds), '-d', '1000', '-l', '5000'];
    const statistics = ['-trace_stat', '-stf', file, '-fd', '1'];
    const from = ['-i', caller, '-p', String(callerPort + rate), '-s', number, `${ours}:${sipPort}`];
    const child = startChild(scope, ['sipp', '-sn', 'uac', ...from, '-nostdin', ...limits, ...statistics], {
      cwd: dataDirectory,
    });
    await Promise.race([child.exited, sleep(seconds * 1000 + 30_000)]);
    if (!hasEnded(child)) await endChild(child);
    const [head, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
    const last = lines.at(-1)!.split(';');
    const of = (name: string): number => Number(last[head!.split(';').indexOf(name)]);
    const missing = rate * seconds - of('SuccessfulCall(C)');
    return { failed: Math.max(of('FailedCall(C)'), missing), repeated: of('Retransmissions(C)') };
  }
}
