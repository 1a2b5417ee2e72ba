import path from 'node:path';
import { type Figure, median, type Run } from '../figures.ts';
import type { Cpu } from '../kit/cpu.ts';
import { connections, findGenerator, generators, type Load, runGenerator, runWrk } from '../kit/load.ts';
import { makeDataDirectory } from '../kit/server.ts';
import { hasKannel, type Keeping, kannelId, startKannel } from './kannel.ts';
import { type Contender, recipientDigits } from './sms-contender.ts';
import { startSmsParley } from './sms-parley.ts';
import { collect, type Smsc, setReceipts, startSmsc, window } from './smsc.ts';

const target = 1;
/** The first is the one to be measured against: Parley, too, keeps what it has accepted. */
const keepings: Keeping[] = ['in its store', 'in memory'];

interface Sent {
  perSecond: number;
  messages: number;
  tookMs: number;
  load: SmsLoad;
  /** For one message, in microseconds. */
  cpu?: Cpu;
}
type SmsLoad = Load & { requests: number };

/**
 * SMS from an HTTP request to the answer of the SMS centre, beside Kannel: the same load, text, window and simulator of the
 * centre. Then the same with receipts: the clock stops when Parley has stored the last one, and Kannel has told it.
 */
export async function sms({ scope, quick, progress }: Run): Promise<Figure[]> {
  const dataDirectory = await makeDataDirectory(scope);
  const smsc = await startSmsc(scope, ['parley', ...keepings.map(kannelId)]);
  const parley = await startSmsParley(scope, smsc, dataDirectory);
  const contenders = [parley];
  for (const keeping of (await hasKannel()) ? keepings : []) {
    contenders.push(await startKannel(scope, smsc, dataDirectory, keeping));
  }
  const [seconds, rounds] = quick ? [1, 1] : [4, 5];
  // Kannel is a program in C, and as fast in its first second as later.
  for (const withReceipts of [true, false, false]) await carry(scope, smsc, parley, { seconds, withReceipts });

  const figures: Figure[] = [];
  for (const withReceipts of [false, true]) {
    const results = contenders.map((): Sent[] => []);
    // In turn, because the machine is not always as fast.
    for (let round = 0; round < rounds; round++) {
      for (const [at, one] of contenders.entries()) {
        const sent = await carry(scope, smsc, one, { seconds, withReceipts });
        progress(`${one.systemId}${withReceipts ? ', receipts' : ''}: ${Math.round(sent.perSecond)} messages/s`);
        results[at]!.push(sent);
      }
    }
    // What is compared is what came one after the other: the machine changes more from round to round than they differ.
    const ratios = results[1]?.map((kannel, round) => results[0]![round]!.perSecond / kannel.perSecond);
    const [own, ...others] = results.map(middle);
    figures.push(figureOf(withReceipts, own!, others, ratios));
  }
  return figures;
}

/** The round that was neither the fastest nor the slowest. */
const middle = (rounds: Sent[]): Sent =>
  rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)]!;

/** Has messages accepted for some seconds as fast as that goes, and waits until all of them have come through. */
async function carry(
  scope: AsyncDisposableStack,
  smsc: Smsc,
  contender: Contender,
  { seconds, withReceipts }: { seconds: number; withReceipts: boolean },
): Promise<Sent> {
  await setReceipts(smsc, withReceipts);
  const { url, args } = await contender.target(withReceipts);
  const before = await contender.cpu?.();
  const startedMs = Date.now();
  const load = await generate(scope, url, args, seconds);
  if (load.failed > 0) throw new Error(`${contender.systemId}: ${load.failed} requests were refused`);
  await contender.untilSent(load.requests);
  const { count: messages, lastMs } = await collect(smsc, contender.systemId);
  // Those that were under way when the generator stopped may have been accepted, too.
  if (messages < load.requests) throw new Error(`${messages} of ${load.requests} messages came to the centre`);
  const endedMs = withReceipts ? await contender.untilReported(messages) : lastMs;
  const tookMs = endedMs - startedMs;
  const after = await contender.cpu?.();
  const each = (name: keyof Cpu): number => ((after![name] - before![name]) * 1000) / messages;
  const cpu = after && { cpu: { node: each('node'), postgres: each('postgres') } };
  return { perSecond: (messages / tookMs) * 1000, messages, tookMs, load, ...cpu };
}

const program = path.join(generators, 'send-sms.ts');

async function generate(scope: AsyncDisposableStack, url: string, args: string[], seconds: number): Promise<SmsLoad> {
  const given = [recipientDigits, ...args];
  return (await findGenerator()) === 'wrk'
    ? runWrk(scope, 'send-sms.lua', url, given, seconds)
    : runGenerator(scope, [process.execPath, program, url, String(seconds), String(connections), ...given]);
}

function figureOf(
  withReceipts: boolean,
  parley: Sent,
  [kannel, inMemory]: Sent[],
  ratios: number[] | undefined,
): Figure {
  const way = withReceipts ? 'POST to stored receipt, all DELIVERED' : 'POST to submit_sm_resp, no receipts';
  const ratio = ratios && median(ratios);
  return {
    row: 'sms',
    what: `an SMS over SMPP, ${way}, ${connections} connections, window ${window}`,
    figure: parley.perSecond,
    unit: 'messages/s',
    p50Ms: parley.load.p50Ms,
    p99Ms: parley.load.p99Ms,
    ...(kannel && { reference: { what: 'Kannel with its store', figure: kannel.perSecond } }),
    ...(ratio !== undefined && { ratio, target: `ratio ≥ ${target}`, met: ratio >= target }),
    details: {
      messages: parley.messages,
      'in s': parley.tookMs / 1000,
      'accepted per s': parley.load.requestsPerSecond,
      'Node µs each': parley.cpu!.node,
      'PostgreSQL µs each': parley.cpu!.postgres,
      ...(kannel && inMemory
        ? {
            'ratios of the rounds': ratios!.map((one) => one.toFixed(2)).join(' '),
            "Kannel's messages": kannel.messages,
            "Kannel's s": kannel.tookMs / 1000,
            'accepted by Kannel per s': kannel.load.requestsPerSecond,
            'Kannel in memory, messages/s': inMemory.perSecond,
            'accepted by Kannel in memory per s': inMemory.load.requestsPerSecond,
          }
        : { Kannel: 'is not installed' }),
    },
  };
}
