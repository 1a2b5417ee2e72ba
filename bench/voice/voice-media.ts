import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Figure, Run } from '../figures.ts';
import { makeDataDirectory, root } from '../kit/server.ts';
import { hasRtpengine, startRtpengine } from './voice-media-rtpengine.ts';

const run = promisify(execFile);
const calls = [200, 400, 500, 600];
const prompts = 200;
const targetCalls = 500;

export interface Load {
  sent: number;
  received: number;
  p50Ms: number;
  p99Ms: number;
}

/** Something that relays calls, in a process of its own. */
export interface Relay {
  /** Opens so many calls, and closes those before; the two ports of each as `20000:20002`. */
  open(calls: number): Promise<string[]>;
  /** Until now, in milliseconds. */
  cpuMs(): Promise<number>;
}

/**
 * Calls relayed by one thread: telephones in another process send 50 packets a second each way, and measure how long each took. On a
 * machine that others use, too, the processor time is the figure to go by.
 */
export async function relay({ scope, quick, progress }: Run): Promise<Figure[]> {
  const generator = await compile(await makeDataDirectory(scope));
  const seconds = quick ? 2 : 8;
  const parley = startParley(scope);
  const rtpengine = (await hasRtpengine()) ? await startRtpengine(scope) : undefined;
  const figures: Figure[] = [];
  if (generator === undefined) progress('there is no C compiler: only prompts are measured');
  for (const count of generator === undefined ? [] : calls) {
    const ours = await measure(generator!, parley, count, seconds);
    progress(`${count} calls: ${describe(ours)}`);
    const theirs = rtpengine && (await measure(generator!, rtpengine, count, seconds));
    if (theirs) progress(`${count} calls, rtpengine: ${describe(theirs)}`);
    figures.push(figureOf(count, ours, theirs));
  }
  figures.push(await measurePrompts(parley, quick ? 2 : 5));
  return figures;
}

type Measured = Load & { cpu: number };
const describe = ({ sent, received, p99Ms, cpu }: Measured): string =>
  `${sent - received} of ${sent} lost, p99 ${p99Ms} ms, ${Math.round(cpu * 100)} % of a processor`;

/** undefined: there is no compiler. */
async function compile(directory: string): Promise<string | undefined> {
  const program = path.join(directory, 'voice-media-load');
  return run('cc', ['-O2', '-o', program, path.join(import.meta.dirname, 'voice-media-load.c')]).then(
    () => program,
    (error) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    },
  );
}

async function measure(generator: string, relay: Relay, count: number, seconds: number): Promise<Measured> {
  const pairs = await relay.open(count);
  const beforeMs = await relay.cpuMs();
  const { stdout } = await run(generator, [String(seconds), ...pairs]);
  // The generator's second of learning is in it.
  const cpu = ((await relay.cpuMs()) - beforeMs) / 1000 / (seconds + 1);
  return { ...JSON.parse(stdout.replace('RESULT ', '')), cpu };
}

function figureOf(count: number, ours: Measured, theirs: Measured | undefined): Figure {
  const lost = ours.sent - ours.received;
  return {
    row: 'relay',
    what: `${count} calls relayed by one thread, 50 packets a second each way`,
    figure: (ours.cpu * 1e6) / (count * 100),
    unit: 'µs of CPU a packet',
    p50Ms: ours.p50Ms,
    p99Ms: ours.p99Ms,
    ...(theirs && {
      reference: { what: 'rtpengine', figure: (theirs.cpu * 1e6) / (count * 100) },
      ratio: ours.cpu / theirs.cpu,
    }),
    ...(count === targetCalls && { target: `${targetCalls} calls, none lost`, met: lost === 0 }),
    details: {
      packets: ours.sent,
      lost,
      'of a processor': ours.cpu,
      ...(theirs
        ? { "rtpengine's p99 ms": theirs.p99Ms, "rtpengine's lost": theirs.sent - theirs.received }
        : { rtpengine: 'is not installed' }),
    },
  };
}

async function measurePrompts(parley: ParleyRelay, seconds: number): Promise<Figure> {
  const beforeMs = await parley.cpuMs();
  const { packets, p50Ms, p99Ms } = await parley.play(prompts, seconds);
  return {
    row: 'relay',
    what: `${prompts} prompts at once: how far packets are from 20 ms apart`,
    figure: p99Ms,
    unit: 'ms at p99',
    p50Ms,
    p99Ms,
    details: { packets, 'of a processor, with the listeners': ((await parley.cpuMs()) - beforeMs) / 1000 / seconds },
  };
}

interface ParleyRelay extends Relay {
  play(prompts: number, seconds: number): Promise<{ packets: number; p50Ms: number; p99Ms: number }>;
}

function startParley(scope: AsyncDisposableStack): ParleyRelay {
  const child: ChildProcess = spawn(process.execPath, ['bench/voice/voice-media-relay.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  scope.defer(() => void child.kill());
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const ask = async <A>(question: string): Promise<A> => {
    child.stdin!.write(`${question}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('The relay ended');
    return JSON.parse(value.replace('ANSWER ', ''));
  };
  return {
    open: (count) => ask(`open ${count}`),
    play: (count, seconds) => ask(`play ${count} ${seconds}`),
    async cpuMs() {
      const { user, system } = await ask<NodeJS.CpuUsage>('cpu');
      return (user + system) / 1000;
    },
  };
}
