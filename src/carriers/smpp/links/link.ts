import type { Log } from '../../../platform/log.ts';
import { type Given, type PduOf, type RequestCommand, type ResponseTo, Status, statusName } from '../codec/index.ts';
import { Closed } from '../errors.ts';
import { type BindMode, openSession, type Peer } from '../session/connect.ts';
import type { Handler } from '../session/serving.ts';
import { type Session, type SessionOptions, systemTiming, type Timing } from '../session/session.ts';
import { type BindState, type KeptBind, keepBound } from './keep-bound.ts';
import { makeMeter, type Readings } from './meter.ts';
import { makePace } from './pace.ts';

export interface LinkOptions {
  name: string;
  peer: Peer;
  /** One connection for each. */
  binds?: readonly BindMode[];
  /** What was agreed with the carrier, for all binds together; null: as fast as it goes. */
  perSecond?: number | null;
  session?: Pick<SessionOptions, 'window' | 'hands' | 'responseTimeoutMs' | 'enquireLinkMs'>;
  /** Gets every deliver_sm and data_sm. */
  handle: Handler;
  log: Log;
  timing?: Timing;
  random?(): number;
}

/** `bound`: all binds; `degraded`: some; `connecting`: none yet or none any more. */
export type LinkState = 'bound' | 'degraded' | 'connecting' | 'stopped';

export interface LinkSnapshot extends Readings {
  name: string;
  state: LinkState;
  since: Date;
  binds: { mode: BindMode; state: BindState; since: Date }[];
  /** Sent, and not answered. */
  underWay: number;
  /** For their turn, or for a place in the window. */
  waiting: number;
  /** Responses to no outstanding request, on the present connections. */
  strayAnswers: number;
  /** The present rate; null: as fast as it goes. */
  perSecond: number | null;
  lastError: { message: string; at: Date } | null;
}

/** The connection to a carrier's SMS centre, opened again whenever it breaks. */
export interface Link {
  /** Hands one over at the link's pace. Any status is an answer; throws as `Session.request`, with `Closed(false)` when no bind is up. */
  submit(given: Given<'submit_sm'>): Promise<PduOf<'submit_sm_resp'>>;
  /** Anything else, past the pace: query_sm, cancel_sm. */
  request<C extends RequestCommand>(command: C, given: Given<C>): Promise<ResponseTo<C>>;
  /** Whether it can send. */
  isUp(): boolean;
  /** The rate at which it sends now; null: as it likes. */
  perSecond(): number | null;
  snapshot(): LinkSnapshot;
  /** For how long the youngest bind that messages come by has been up. */
  receivingMs(): number;
  stop(drainMs?: number): Promise<void>;
}

const slowDown: readonly number[] = [Status.RTHROTTLED, Status.RMSGQFUL];

/** Starts to connect at once, and does so until it is stopped. */
export function startLink(options: LinkOptions): Link {
  const { name, peer, binds = ['transceiver'], perSecond = null, log } = options;
  const { timing = systemTiming, random = Math.random } = options;
  const meter = makeMeter(timing);
  const pace = makePace(perSecond, timing);
  let lastError: LinkSnapshot['lastError'] = null;
  let state: LinkState = 'connecting';
  let sinceMs = timing.nowMs();
  let stopped = false;

  const sessionOptions: SessionOptions = {
    ...options.session,
    timing,
    handles: ['deliver_sm', 'data_sm'],
    handle: (pdu) =>
      options.handle(pdu).catch((error: Error) => {
        log.warn({ link: name, error: error.message }, 'A message could not be taken; the centre will bring it again');
        throw error;
      }),
    onLatency: meter.latency,
  };
  const kept: KeptBind[] = binds.map((mode) =>
    keepBound({
      mode,
      timing,
      random,
      open: (signal) => openSession(peer, mode, sessionOptions, signal),
      onError(error) {
        note(error.message);
        log.warn({ link: name, mode, error: error.message }, 'The link is down');
      },
      // Called while the list is still being made, too.
      onChange: () => queueMicrotask(review),
    }),
  );

  function note(message: string): void {
    lastError = { message, at: new Date(timing.nowMs()) };
  }

  function review(): void {
    const bound = kept.filter((bind) => bind.state === 'bound').length;
    const next = stopped ? 'stopped' : bound === kept.length ? 'bound' : bound > 0 ? 'degraded' : 'connecting';
    if (next === state) return;
    state = next;
    sinceMs = timing.nowMs();
    log.info({ link: name, state }, 'The link changed');
  }

  const canSend = ({ mode, session }: KeptBind): boolean => mode !== 'receiver' && session?.state === 'bound';

  /** The least busy of those that can send. */
  function pick(): Session | undefined {
    if (kept.length === 1) return canSend(kept[0]!) ? kept[0]!.session : undefined;
    const busy = (session: Session) => session.load().underWay + session.load().waiting;
    const sessions = kept.filter(canSend).map(({ session }) => session!);
    return sessions.length < 2
      ? sessions[0]
      : sessions.reduce((best, other) => (busy(other) < busy(best) ? other : best));
  }
  const request: Link['request'] = (command, given) =>
    pick()?.request(command, given) ?? Promise.reject(new Closed(false, 'The link is down.'));

  /** What an answer says about the link. */
  function weigh({ status }: PduOf<'submit_sm_resp'>): void {
    meter.count(status === 0 ? 'sent' : 'failed');
    if (status !== 0) note(`submit_sm was refused with ${statusName(status)}.`);
    if (!slowDown.includes(status)) return;
    meter.count('throttled');
    pace.slower();
  }

  return {
    async submit(given) {
      // Nobody waits for a turn on a link that is down.
      if (!kept.some(canSend)) throw new Closed(false, 'The link is down.');
      await pace.turn();
      try {
        const answer = await request('submit_sm', given);
        weigh(answer);
        return answer;
      } catch (error) {
        meter.count('failed');
        note((error as Error).message);
        throw error;
      }
    },
    request,
    isUp: () => kept.some(canSend),
    perSecond: pace.perSecond,
    receivingMs() {
      const bound = kept.filter(({ mode, state }) => mode !== 'transmitter' && state === 'bound');
      // A PDU that arrives in the same packet as the bind response is handled before the link knows that it is bound.
      return bound.length === 0 ? 0 : timing.nowMs() - Math.max(...bound.map(({ sinceMs }) => sinceMs));
    },
    snapshot() {
      review();
      const sessions = kept.flatMap(({ session }) => session ?? []);
      const loads = sessions.map((session) => session.load());
      return {
        name,
        state,
        since: new Date(sinceMs),
        binds: kept.map((bind) => ({ mode: bind.mode, state: bind.state, since: new Date(bind.sinceMs) })),
        underWay: loads.reduce((total, { underWay }) => total + underWay, 0),
        waiting: loads.reduce((total, { waiting }) => total + waiting, pace.waiting()),
        strayAnswers: sessions.reduce((total, session) => total + session.strayAnswers, 0),
        perSecond: pace.perSecond(),
        ...meter.read(),
        lastError,
      };
    },
    async stop(drainMs = 10_000) {
      stopped = true;
      await Promise.all(kept.map((bind) => bind.stop(drainMs)));
      review();
    },
  };
}
