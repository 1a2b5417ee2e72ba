import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/time/pause.ts';
import type { Leg } from '../ports/voice.ts';
import type { LiveLeg } from './leg.ts';
import { type Media, type MediaStats, makeMedia } from './media/index.ts';
import { type Agent, type AgentOptions, startAgent } from './signalling/agent.ts';
import type { SecureOptions } from './signalling/transport/wire.ts';
import type { CallerTrunks } from './trunks/admission.ts';
import type { KeptTrunk } from './trunks/registration.ts';

export interface SipSettings {
  host: string;
  port: number;
  /** For TLS; left out: nobody can connect to us by it. */
  secure?: SecureOptions | undefined;
  /** '': the address by which each peer reaches us. */
  publicAddress: string;
  rtpPorts: readonly [number, number];
  rtpThreads: number;
}

/** What is open while there is a trunk: the port that listens, and the threads that carry speech. */
export interface Endpoint {
  agent: Agent;
  media: Media;
  legs: Map<Leg, LiveLeg>;
  kept: Map<string, KeptTrunk>;
  /** Whether we may send to an address that a peer names. */
  mayReach(address: string): boolean;
}

interface Handlers extends Pick<AgentOptions<CallerTrunks>, 'admit' | 'onInvite' | 'guard'> {
  onSpeech?: ((stats: MediaStats) => void) | undefined;
}

export async function openEndpoint(
  { host, port, secure, publicAddress, rtpPorts, rtpThreads }: SipSettings,
  log: Log,
  handlers: Handlers,
): Promise<Endpoint> {
  const agent = await startAgent<CallerTrunks>({
    host,
    port,
    secure,
    publicAddress,
    ...handlers,
    onError: (error) => log.error({ err: error }, 'A SIP message could not be handled'),
  });
  const media = makeMedia({
    ports: rtpPorts,
    threads: rtpThreads,
    host,
    onStats(port, stats) {
      const { strangers, unauthentic } = stats;
      handlers.onSpeech?.(stats);
      if (unauthentic > 0) log.warn({ port, unauthentic }, 'SRTP packets that are not genuine were dropped');
      if (strangers > 0) log.warn({ port, strangers }, 'RTP from addresses that were not signalled was dropped');
    },
  });
  log.info({ host, port: agent.port, tlsPort: agent.tlsPort }, 'Listening for SIP');
  return { agent, media, legs: new Map(), kept: new Map(), mayReach: handlers.guard.isAllowed };
}

/** How long calls under way may take to end, and how long the answers to BYE and un-REGISTER are waited for. */
const graceMs = 3_000;
const goodbyeMs = 1_000;

export async function closeEndpoint({ agent, media, legs, kept }: Endpoint): Promise<void> {
  const allEnded = (): Promise<unknown> => Promise.all([...legs.keys()].map((leg) => leg.ended));
  await within(graceMs, allEnded());
  for (const leg of legs.keys()) void leg.hangUp();
  const left = Promise.all([...kept.values()].map((one) => one.stop()));
  await within(goodbyeMs, Promise.all([left, allEnded()]));
  await within(
    goodbyeMs,
    until(() => agent.unanswered() === 0),
  );
  await agent.close();
  await media.close();
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 50; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Those who will hear each other are carried by one thread: legs of one of our numbers. Carriers write it with and without a
 * prefix; its last digits they leave alone.
 */
export const nearOf = (number: string): string => number.replace(/\D/g, '').slice(-6) || number;
