import type { TestContext } from 'node:test';
import { type Settings, type Smsc, startSmsc } from '../../../simulators/smsc/index.ts';
import type { OutboundSms, SmsEvent, SmsLink, SmsOutcome } from '../../../src/carriers/ports/sms.ts';
import { makeSmpp } from '../../../src/carriers/smpp/carrier.ts';
import type { SmppSettings } from '../../../src/carriers/smpp/links/settings.ts';
import { systemTiming, type Timing } from '../../../src/carriers/smpp/session/session.ts';
import { newId } from '../../../src/platform/ids.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { segmentText } from '../../../src/platform/sms-text/index.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { until } from '../until.ts';

/** The carrier with one link to a centre of our own, and what came over it. */
export interface Bench {
  smsc: Smsc;
  sms: ReturnType<typeof makeSmpp>['sms'];
  link: SmsLink;
  events: SmsEvent[];
  send(...messages: OutboundSms[]): Promise<SmsOutcome[]>;
  /** Waits until the present connection is gone and there is another. */
  reconnected(): Promise<void>;
}

export interface BenchOptions {
  smsc?: Partial<Settings>;
  link?: Partial<SmppSettings>;
  perSecond?: number;
  /** Instead of keeping what comes. */
  receive?(events: SmsEvent[]): Promise<void>;
}

/** Waits for a new connection, and for an answer, are a twentieth of what they are outside. */
const impatient: Timing = { ...systemTiming, after: (ms, run) => systemTiming.after(ms / 20, run) };

export async function startBench(context: TestContext, options: BenchOptions = {}): Promise<Bench> {
  const smsc = await startSmsc({ settings: { receiptAfterMs: 5, deliveryRetryMs: 20, ...options.smsc } });
  context.after(() => smsc.close());
  const log = makeLog({ level: 'silent', pretty: false });
  const carrier = makeSmpp({ clock: systemClock, log, random: () => 0, timing: impatient });
  context.after(() => carrier.stop());
  const sms = carrier.sms;
  const events: SmsEvent[] = [];
  const link = linkTo(smsc, options);
  const receive = options.receive ?? (async (came: SmsEvent[]) => void events.push(...came));
  await sms.keepOpen([link], { receive: (_link, came) => receive(came) });
  await until(() => sms.isUp(link));
  return {
    smsc,
    sms,
    link,
    events,
    send: (...messages) => sms.send(link, messages),
    async reconnected() {
      const before = new Set(smsc.connections);
      const isNew = () => smsc.connections.size > 0 && smsc.connections.isDisjointFrom(before);
      await until(() => isNew() && sms.isUp(link));
    },
  };
}

export const linkTo = ({ host, port }: { host: string; port: number }, options: BenchOptions = {}): SmsLink => ({
  accountId: newId(),
  uuid: newId(),
  name: 'A centre',
  carrier: 'smpp',
  messagesPerSecond: options.perSecond ?? 10_000,
  settings: { host, port, system_id: 'parley', password: 'parley', ...options.link },
});

export const textTo = (to: string, text = 'Hello', more: Partial<OutboundSms> = {}): OutboundSms => {
  const { encoding, segments } = segmentText(text);
  const rest = { partsTaken: new Set<number>(), expiresAt: null, attempt: 1 };
  return { accountId: newId(), uuid: newId(), from: '+447700900001', to, encoding, segments, ...rest, ...more };
};
