import type { Listener } from '../../platform/db/connect/listener.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Log } from '../../platform/log.ts';
import { type Guard, makeAddresses } from '../../platform/outbound/guard.ts';
import type { Vault } from '../../platform/secrets.ts';
import { type Clock, steadyMs } from '../../platform/time/clock.ts';
import { pause } from '../../platform/time/pause.ts';
import { startLoop } from '../../platform/work/loop.ts';
import type { Carrier } from '../ports/carriers.ts';
import { nowhere } from '../ports/legs.ts';
import type { CarrierVoice, DialRequest, Leg, OnCall } from '../ports/voice.ts';
import { dial, isSipAddress, sipTarget, type Way, wayBy } from './dial.ts';
import { closeEndpoint, type Endpoint, openEndpoint, type SipSettings } from './endpoint.ts';
import type { LiveLeg } from './leg.ts';
import type { MediaStats } from './media/index.ts';
import { receiveCall } from './receive.ts';
import { makeAdmission } from './trunks/admission.ts';
import { makeTrunkList } from './trunks/list.ts';
import { findReports } from './trunks/queries.ts';
import { makeRegistrar } from './trunks/registrar.ts';
import { expectedOf, type Trunk } from './trunks/trunk.ts';

export interface SipDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  vault: Pick<Vault, 'open'>;
  /** Where calls may go. */
  guard: Guard;
  settings: SipSettings;
  /** Is told how the packets of a leg arrived, when it is over. */
  onSpeech?(stats: MediaStats): void;
}

export interface SipVoice extends CarrierVoice {
  /** Where it listens; undefined while it does not. */
  port(): number | undefined;
  /** The same for TLS. */
  tlsPort(): number | undefined;
}

const trunkTopic = 'sip-trunks';
const lookPauseMs = 2_000;

/** Calls over SIP, by the trunks that accounts have (`/v2/sip-trunks/`). */
export const makeSip = (deps: SipDeps): Carrier & { voice: SipVoice } => ({
  name: 'sip',
  adoptsUnknown: false,
  clock: () => deps.clock,
  voice: makeSipVoice(deps),
});

// A trunk that is down is its owner's trouble, and a port that another process has is no trouble at all: neither makes this
// process unready.
function makeSipVoice(deps: SipDeps): SipVoice {
  const { db, clock, log, settings } = deps;
  const admission = makeAdmission(steadyMs, (address, user) =>
    log.warn({ address, user }, 'SIP passwords are guessed from this address'),
  );
  const addresses = makeAddresses({ guard: deps.guard, now: steadyMs });
  const trunks = makeTrunkList({ ...deps, addresses });
  const registrar = makeRegistrar({ ...deps, trunks });
  let endpoint: Endpoint | undefined;
  let problem: string | null = null;
  let isClosed = false;

  const findLive = (leg: Leg): LiveLeg | undefined => endpoint?.legs.get(leg);
  const ownTrunks = (accountId: string): Trunk[] =>
    trunks.ofAccount(accountId).filter(({ addresses }) => addresses.length > 0);
  /** As far as this process looks after it. Others' trunks count as up: who calls finds out. */
  const isDown = ({ uuid }: Trunk): boolean => endpoint?.kept.get(uuid)?.state() === 'DOWN';

  async function look(onCall: OnCall): Promise<void> {
    const change = await trunks.read();
    admission.change(change);
    if (trunks.size() > 0 && !endpoint) await open(onCall);
    if (trunks.size() === 0 && endpoint) await shut();
    if (endpoint) await registrar.keep(endpoint, change);
  }

  async function open(onCall: OnCall): Promise<void> {
    try {
      endpoint = await openEndpoint(settings, log, {
        onSpeech: deps.onSpeech,
        admit: admission.admit,
        guard: deps.guard,
        onInvite(request, transaction, trunks) {
          receiveCall({ endpoint: endpoint!, clock, log, onCall }, request, transaction, trunks);
        },
      });
      problem = null;
    } catch (error) {
      // Another process of this machine may be the one that listens.
      if (problem === null) log.warn({ error: (error as Error).message }, 'SIP cannot listen here');
      problem = `SIP cannot listen: ${(error as Error).message}`;
    }
  }

  async function shut(): Promise<void> {
    const leaving = endpoint;
    endpoint = undefined;
    if (leaving) await closeEndpoint(leaving);
  }

  /** Those that are up before those that are not, and among them by weight and chance. */
  function ordered(some: Trunk[]): Trunk[] {
    const rank = (trunk: Trunk): number => (isDown(trunk) ? 0 : 1) + Math.random() ** (1 / trunk.weight);
    return some
      .map((trunk) => [rank(trunk), trunk] as const)
      .toSorted(([a], [b]) => b - a)
      .map(([, trunk]) => trunk);
  }

  async function findWays({ accountId, to }: DialRequest): Promise<Way[]> {
    const own = ordered(ownTrunks(accountId));
    if (!isSipAddress(to)) return own.flatMap((trunk) => wayBy(trunk, to));
    const { host, port, protocol } = sipTarget(to);
    const [trunk] = own;
    if (!trunk) return [];
    const { addresses: found, problem } = await addresses(host);
    if (found.length === 0) throw new Error(problem);
    const expected = protocol === 'tls' && { expected: { ...expectedOf(trunk), name: host } };
    return [{ trunk, peer: { protocol, address: found[0]!, port, ...expected }, uri: to, credentials: undefined }];
  }

  return {
    clock: () => clock,
    wait: (_accountId, ms, signal) => pause(ms, signal),
    dial: (request) =>
      endpoint ? dial(endpoint, request, () => findWays(request)) : nowhere('SIP does not listen here.'),
    async bridge(one, other) {
      const [first, second] = [findLive(one)?.media, findLive(other)?.media];
      const { media } = endpoint ?? {};
      if (!media || !first || !second) return;
      await media.bridge(first, second);
      // When one leg ends, closing its media session also removes it from the other's.
      await Promise.race([one.ended, other.ended]);
    },
    record(legs, options) {
      const sessions = legs.flatMap((leg) => findLive(leg)?.media ?? []);
      if (endpoint && sessions.length === legs.length) return endpoint.media.record(sessions, options);
      const ended = Promise.resolve({ seconds: 0 });
      return { ended, stop: () => ended };
    },
    canDial: async (accountId) => endpoint !== undefined && ownTrunks(accountId).some((trunk) => !isDown(trunk)),
    async status(accountId) {
      return (await findReports(db, accountId)).map(({ name, modified, report }) => ({
        name,
        state: report?.state ?? 'DOWN',
        since: new Date(report?.since ?? modified),
        calls: report?.calls ?? 0,
        lastError: report?.lastError ?? (report ? '' : 'No process looks after it.'),
        latencyMs: report?.latencyMs ?? null,
      }));
    },
    port: () => endpoint?.agent.port,
    tlsPort: () => endpoint?.agent.tlsPort,
    linkStates: () => [...(endpoint?.kept.values() ?? [])].map((one) => one.state()),
    // The calls of all trunks, from the moment there is one.
    listen(onCall) {
      const loop = startLoop(log, 'sip trunks', async () => {
        if (!isClosed) await look(onCall);
        return lookPauseMs;
      });
      deps.listener.on(trunkTopic, (accountId) => {
        trunks.notice(accountId);
        loop.wake();
      });
      return {
        // Others take the trunks, and the calls that come from now on; those that are here go on.
        async stop() {
          isClosed = true;
          await loop.stop();
          await registrar.leave(endpoint);
        },
      };
    },
    async close() {
      isClosed = true;
      admission.close();
      await shut();
      await registrar.leave(undefined);
    },
  };
}
