import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AsteriskCarrier, type AsteriskSettings, makeAsterisk } from '../../../src/carriers/asterisk/engine.ts';
import type { CarrierVoice, DialRequest, IncomingCall, OutboundLeg, Sound } from '../../../src/carriers/ports/voice.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { until } from '../until.ts';
import { type FakeAsterisk, type FakeRequest, startFakeAsterisk } from './fake-asterisk.ts';
import type { FakeChannel } from './fake-channels.ts';

/** An engine and the Asterisk that it is connected to. */
export interface Pair {
  fake: FakeAsterisk;
  carrier: AsteriskCarrier;
  engine: CarrierVoice;
  directory: string;
  sound: Sound;
  calls: IncomingCall[];
  dial(more?: Partial<DialRequest>): OutboundLeg;
  /** The channel of a leg. */
  channelOf(leg: { id: string }): FakeChannel;
  /** A call that came in, and its channel. */
  receive(given?: Partial<FakeChannel>): Promise<{ call: IncomingCall; channel: FakeChannel }>;
  asked(method: string, path: RegExp): FakeRequest[];
  /** Another process with the same Asterisk, which takes no calls. */
  another(changes?: Partial<AsteriskSettings>): AsteriskCarrier;
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

const timing = { firstWaitMs: 20, longestWaitMs: 100, checkMs: 50, graceMs: 60_000, strayMs: 50 };

export async function startPair(
  settings: Partial<AsteriskSettings> = {},
  changes: Partial<typeof timing> = {},
): Promise<Pair> {
  const fake = await startFakeAsterisk();
  const directory = await mkdtemp(join(tmpdir(), 'asterisk-'));
  const sound = { path: join(directory, 'prompt'), seconds: 0.1 };
  await writeFile(sound.path, Buffer.alloc(800, 7));
  const make = (more: Partial<AsteriskSettings>): AsteriskCarrier =>
    makeAsterisk({
      clock: systemClock,
      log: makeLog({ level: 'silent', pretty: false }),
      timing: { ...timing, ...changes },
      settings: {
        url: fake.url,
        ...fake.access,
        app: 'parley',
        endpoints: { number: 'PJSIP/{number}@trunk', address: 'PJSIP/trunk/{address}' },
        sounds: { directory: join(directory, 'sounds'), place: '' },
        ...settings,
        ...more,
      },
    });
  const carrier = make({});
  const engine = carrier.voice;
  const calls: IncomingCall[] = [];
  const listening = engine.listen(async (call) => void calls.push(call));
  await until('it is connected', () => engine.canDial(''));
  return {
    fake,
    carrier,
    engine,
    directory,
    sound,
    calls,
    dial: (more = {}) =>
      engine.dial({ accountId: 'a', from: '+441614960000', to: '+447700900123', timeoutMs: 10_000, ...more }),
    channelOf: ({ id }) => fake.channels.get(id)!,
    async receive(given) {
      const before = calls.length;
      const channel = fake.call('+441614960000', given);
      await until('the call is there', () => calls.length > before);
      return { call: calls[before]!, channel };
    },
    asked: (method, path) => fake.requests.filter((one) => one.method === method && path.test(one.path.join('/'))),
    another: (more = {}) => make(more),
    stopListening: () => listening.stop(),
    async close() {
      await listening.stop();
      for (const channel of [...fake.channels.values()]) fake.hangUp(channel);
      await engine.close();
      await fake.close();
      await rm(directory, { recursive: true });
    },
  };
}
