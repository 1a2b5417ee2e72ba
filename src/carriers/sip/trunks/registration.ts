// Looks after one trunk: registers, where that is wanted, and asks now and then whether the other side is there.
//
//   STARTING ──an answer──▶ UP ──no answer, or refused──▶ DOWN ──an answer──▶ UP …
import type { Log } from '../../../platform/log.ts';
import { storable } from '../../../platform/text/fit.ts';
import type { Agent } from '../signalling/agent.ts';
import { type Answer, askWithProof } from '../signalling/dialogs/ask.ts';
import { contactOf, integerOf } from '../signalling/message/fields.ts';
import { type Given, headersOf, newCallId, newTag, noBody, type SipRequest } from '../signalling/message/message.ts';
import { hostPortText } from '../signalling/message/uri.ts';
import { makeAlarms } from '../signalling/transactions/transaction.ts';
import { defaultPortOf, transportParam } from '../signalling/transport/routing.ts';
import type { TrunkReport } from './queries.ts';
import { credentialsOf, peerOf, type Trunk } from './trunk.ts';

export interface KeptTrunk {
  readonly trunk: Trunk;
  state(): TrunkReport['state'];
  snapshot(): Omit<TrunkReport, 'calls'>;
  /** Takes back its registration. */
  stop(): Promise<void>;
}

const registrationSeconds = 300;
const pingMs = 30_000;
const firstWaitMs = 1_000;
const longestWaitMs = 120_000;
/** Whether a response to OPTIONS shows that the peer is up: RFC 3261 11 wants 200, but many carriers send 4xx. */
const isThere = (status: number): boolean => status < 500 && status !== 408;

/** `onNews` is called when there is something to tell that the last snapshot does not show. */
export function keepTrunk(
  agent: Agent,
  trunk: Trunk,
  log: Log,
  onNews: () => void,
  random: () => number = Math.random,
): KeptTrunk {
  const { timing } = agent;
  const alarms = makeAlarms(timing);
  const [callId, tag] = [newCallId(trunk.host), newTag()];
  let state: TrunkReport['state'] = 'STARTING';
  let sinceMs = timing.nowMs();
  let lastError = trunk.problem;
  let latencyMs: number | null = null;
  let sequence = Math.floor(random() * 1_000);
  let failures = 0;
  let isStopped = false;
  let isRegistered = false;

  function enter(next: TrunkReport['state'], error = ''): void {
    // In the words of the other side.
    const said = storable(error, 300) || lastError;
    if (said !== lastError) onNews();
    lastError = said;
    if (isStopped || next === state) return;
    state = next;
    sinceMs = timing.nowMs();
    onNews();
    log.info({ trunk: trunk.name, state, error }, 'The trunk changed');
  }

  function noteLatency(ms: number): void {
    if (ms !== latencyMs) onNews();
    latencyMs = ms;
  }

  /** Half of the wait is certain, half is chance: trunks that fell together do not come back together. */
  const backoffMs = (): number =>
    Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures++, 10)) * (0.5 + random() / 2);

  async function ask(method: string, extra: (contact: string) => Given): Promise<Answer | undefined> {
    const peer = peerOf(trunk);
    if (!peer) return undefined;
    const local = await agent.addressing.localFor(peer);
    const user = trunk.username || 'parley';
    const contact = agent.addressing.contact(local, peer).replace('sip:parley@', `sip:${encodeURIComponent(user)}@`);
    const address = `<sip:${encodeURIComponent(user)}@${trunk.fromDomain}>`;
    const { protocol } = trunk;
    const make = (proof: Given): SipRequest => ({
      kind: 'request',
      method,
      uri: `sip:${hostPortText(trunk.host, trunk.port === defaultPortOf(protocol) ? undefined : trunk.port)}${transportParam(protocol)}`,
      headers: headersOf({
        'max-forwards': '70',
        from: `${address};tag=${tag}`,
        to: address,
        'call-id': callId,
        cseq: `${++sequence} ${method}`,
        'user-agent': 'Parley',
        ...extra(contact),
        ...proof,
      }),
      body: noBody,
    });
    return askWithProof(agent, peer, local, credentialsOf(trunk), make);
  }

  const sayRegister = (seconds: number): Promise<Answer | undefined> =>
    ask('REGISTER', (contact) => ({ contact, expires: String(seconds) }));

  async function register(): Promise<void> {
    const beganMs = timing.nowMs();
    const answer = await sayRegister(registrationSeconds);
    if (isStopped) return;
    if (answer?.response && answer.status < 300) {
      noteLatency(timing.nowMs() - beganMs);
      failures = 0;
      isRegistered = true;
      const granted = grantedSeconds(answer);
      enter('UP');
      // Well before its end, so that one that is lost can be tried again.
      alarms.set('register', Math.max(granted - 30, granted / 2) * 1000, () => void register().catch(failed));
      alarms.set('ping', pingMs, () => void ping().catch(failed));
      return;
    }
    enter('DOWN', answer ? `REGISTER was answered with ${answer.status} ${answer.description}` : trunk.problem);
    alarms.set('register', backoffMs(), () => void register().catch(failed));
  }

  async function ping(): Promise<void> {
    const beganMs = timing.nowMs();
    const answer = await ask('OPTIONS', () => ({ accept: 'application/sdp' }));
    if (isStopped) return;
    const isUp = answer !== undefined && isThere(answer.status);
    if (isUp) noteLatency(timing.nowMs() - beganMs);
    // A trunk that could not register gets no calls, even if it answers OPTIONS.
    if (!isUp)
      enter('DOWN', answer ? `OPTIONS was answered with ${answer.status} ${answer.description}` : trunk.problem);
    else if (!trunk.registers || isRegistered) enter('UP');
    alarms.set('ping', isUp ? pingMs : Math.min(pingMs, backoffMs()), () => void ping().catch(failed));
  }

  const failed = (error: unknown): void => {
    enter('DOWN', (error as Error).message);
    alarms.set('again', backoffMs(), begin);
  };
  const begin = (): void => void (trunk.registers ? register() : ping()).catch(failed);
  begin();

  return {
    trunk,
    state: () => state,
    snapshot: () => ({ state, since: new Date(sinceMs).toISOString(), lastError, latencyMs }),
    async stop() {
      isStopped = true;
      alarms.clearAll();
      if (isRegistered) await sayRegister(0).catch(() => undefined);
    },
  };
}

function grantedSeconds({ response }: Answer): number {
  const own = Number(response && contactOf(response)?.params.get('expires'));
  const seconds = own > 0 ? own : ((response && integerOf(response, 'expires')) ?? registrationSeconds);
  return Math.min(Math.max(seconds, 10), 86_400);
}
