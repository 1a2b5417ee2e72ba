// The user agent: takes in what comes by the wire, hands requests to the dialog they belong to, and lets strangers no further
// than the door. What is refused there costs no memory: the answer is made from the request alone (RFC 3261 8.2.7).
import { hash } from 'node:crypto';
import type { Guard } from '../../../platform/outbound/guard.ts';
import { keyOfRequest } from './dialogs/dialog.ts';
import { callIdOf, cseqOf, fromTag, integerOf, tokensOf, toTag } from './message/fields.ts';
import { type Given, makeResponse, newBranch, type SipRequest } from './message/message.ts';
import { parse } from './message/parse.ts';
import { serialise } from './message/serialise.ts';
import { Malformed, parseUri } from './message/uri.ts';
import { systemTiming, type Timing } from './transactions/timing.ts';
import type { ClientHandlers, ClientTransaction, ServerTransaction } from './transactions/transaction.ts';
import { makeTransactions, type Transactions } from './transactions/transactions.ts';
import { type Addressing, type LocalAddress, makeAddressing } from './transport/addressing.ts';
import { type Limiter, makeLimiter } from './transport/limiter.ts';
import { answerPeer, stampVia } from './transport/routing.ts';
import { type OnOctets, openWire, type Peer, type SecureOptions, type Wire } from './transport/wire.ts';

/** Whether a request outside any dialog is admitted, and who the caller is. */
export type Admission<Caller> =
  | { kind: 'admitted'; caller: Caller }
  | { kind: 'refused'; status: number; headers?: Given }
  | { kind: 'ignored' };

/** Whoever has a dialog. */
export interface DialogUser {
  receive(request: SipRequest, transaction: ServerTransaction): void;
  ack(request: SipRequest): void;
}

export interface AgentOptions<Caller> {
  host: string;
  port: number;
  /** For TLS. */
  secure?: SecureOptions | undefined;
  /** '': the address by which each peer reaches us. */
  publicAddress: string;
  /** Where requests within a call may go, by what the peer says. */
  guard: Guard;
  admit(request: SipRequest, from: Peer): Admission<Caller>;
  onInvite(request: SipRequest, transaction: ServerTransaction, caller: Caller): void;
  onError(error: unknown): void;
  timing?: Timing;
  /** For tests: something else than sockets. */
  open?(options: { onOctets: OnOctets; onDropped(): void }): Promise<Wire>;
}

export interface Counts {
  /** Octets that were no message, and streams that could not be followed. */
  malformed: number;
  /** Answered at the door. */
  refused: number;
  /** Not even answered: too many from one source. */
  flooded: number;
}

export interface Agent {
  readonly port: number;
  /** undefined: TLS is not listened for. */
  readonly tlsPort: number | undefined;
  readonly timing: Timing;
  readonly addressing: Addressing;
  readonly dialogs: Map<string, DialogUser>;
  /** INVITEs that can still be cancelled. */
  readonly ringing: Map<ServerTransaction, () => void>;
  readonly counts: Counts;
  transactions(): number;
  /** Requests of ours that wait for their answer. */
  unanswered(): number;
  /** Runs work in the background: a failure is logged, and affects nothing else. */
  watch(work: Promise<unknown>): void;
  request(request: SipRequest, to: Peer, local: LocalAddress, handlers: ClientHandlers): ClientTransaction;
  /** An ACK of a 2xx: sent once, answered by nobody. */
  sendAck(ack: SipRequest, to: Peer, local: LocalAddress): void;
  close(): Promise<void>;
}

/** Requests that are remembered, at most, for the half minute in which they may come again: a trunk may run wild, too. */
const mostTransactions = 20_000;

export const allowed = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'INFO', 'UPDATE'];
const known = [...allowed, 'REGISTER', 'PRACK', 'SUBSCRIBE', 'NOTIFY', 'PUBLISH', 'REFER', 'MESSAGE'];
export const abilities: Given = { allow: allowed.join(', '), supported: 'timer', accept: 'application/sdp' };

export async function startAgent<Caller>(options: AgentOptions<Caller>): Promise<Agent> {
  const { timing = systemTiming } = options;
  const counts: Counts = { malformed: 0, refused: 0, flooded: 0 };
  const strangers: Limiter = makeLimiter({ burst: 20, perSecond: 5, nowMs: timing.nowMs });
  const dialogs = new Map<string, DialogUser>();
  const ringing = new Map<ServerTransaction, () => void>();
  const callers = new WeakMap<SipRequest, Caller>();
  let wire: Wire;

  const transactions: Transactions = makeTransactions(
    { timing, send: (octets, to) => wire.send(octets, to) },
    {
      onRequest: (request, transaction) =>
        guarded(() => {
          try {
            serve(request, transaction);
          } catch (error) {
            if (!(error instanceof Malformed)) throw error;
            const status = (error.cause as number | undefined) ?? 400;
            transaction.respond(
              makeResponse(request, status, { toTag: 'bad', headers: { accept: 'application/sdp' } }),
            );
          }
        }),
      onAck: (ack) => guarded(() => dialogs.get(keyOfRequest(ack))?.ack(ack)),
      // The call that it would answer is over; its peer gives up by itself.
      onStray: () => {},
    },
  );

  /** Whatever goes wrong with one message, the others are heard. */
  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      options.onError(error);
    }
  }

  function receive(octets: Buffer, from: Peer): void {
    const parsed = parse(octets);
    if (parsed.kind === 'message') {
      const { message } = parsed;
      if (message.kind === 'response') return void transactions.receive(message, from);
      stampVia(message, from);
      if (transactions.knows(message) || isLetIn(message, from)) transactions.receive(message, from);
      return;
    }
    counts.malformed++;
    const { request, status } = parsed;
    if (request && status && strangers.allows(from.address)) {
      const reason = status === 400 ? parsed.problem.replace(/\.$/, '') : undefined;
      void wire
        .send(serialise(makeResponse(request, status, { ...(reason && { reason }), toTag: 'bad' })), from)
        .catch(() => {});
    }
  }

  /** A request within a dialog is admitted by its tags, an initial request by its source. */
  function isLetIn(request: SipRequest, from: Peer): boolean {
    if (request.method === 'ACK') return dialogs.has(keyOfRequest(request));
    if (request.method === 'CANCEL') return transactions.findInvite(request) ? true : refuse(request, from, 481);
    if (toTag(request) !== '') return dialogs.has(keyOfRequest(request)) || refuse(request, from, 481);
    if (transactions.count() >= mostTransactions) return refuse(request, from, 503);
    const admission = options.admit(request, from);
    if (admission.kind === 'refused') return refuse(request, from, admission.status, admission.headers);
    if (admission.kind === 'ignored') return false;
    callers.set(request, admission.caller);
    return true;
  }

  function refuse(request: SipRequest, from: Peer, status: number, headers?: Given): false {
    if (!strangers.allows(from.address)) {
      counts.flooded++;
      return false;
    }
    counts.refused++;
    // The same tag for the same request, should it come again.
    const tag = hash('md5', `${callIdOf(request)} ${fromTag(request)} ${cseqOf(request).number}`, 'hex');
    const response = makeResponse(request, status, { toTag: tag, ...(headers && { headers }) });
    void wire.send(serialise(response), answerPeer(request, from)).catch(() => {});
    return false;
  }

  function serve(request: SipRequest, transaction: ServerTransaction): void {
    const reply = (status: number, headers?: Given): void =>
      transaction.respond(makeResponse(request, status, { toTag: 'parley', ...(headers && { headers }) }));
    if (request.method === 'CANCEL') {
      reply(200);
      const invite = transactions.findInvite(request);
      return void (invite && ringing.get(invite)?.());
    }
    const unsupported = tokensOf(request, 'require').filter((token) => token.toLowerCase() !== 'timer');
    if (unsupported.length > 0) return void reply(420, { unsupported: unsupported.join(', ') });
    if (toTag(request) !== '') {
      const user = dialogs.get(keyOfRequest(request));
      return void (user ? user.receive(request, transaction) : reply(481));
    }
    if (!['sip', 'sips', 'tel'].includes(parseUri(request.uri).scheme)) return void reply(416);
    if (request.method === 'OPTIONS') return void reply(200, abilities);
    if (request.method !== 'INVITE') {
      return void reply(known.includes(request.method) ? 405 : 501, { allow: allowed.join(', ') });
    }
    const status = whyNotInvite(request);
    if (status) return void reply(status, abilities);
    options.onInvite(request, transaction, callers.get(request)!);
  }

  const onOctets: OnOctets = (octets, from) => guarded(() => receive(octets, from));
  const onDropped = (): void => void counts.malformed++;
  wire = await (options.open?.({ onOctets, onDropped }) ?? openWire({ ...options, onOctets, onDropped }));
  const isAnywhere = options.host === '0.0.0.0' || options.host === '::';
  const addressing = makeAddressing(
    options.publicAddress || (isAnywhere ? '' : options.host),
    { plain: wire.port, tls: wire.tlsPort },
    options.guard,
  );

  const withVia = (request: SipRequest, to: Peer, local: LocalAddress): SipRequest => {
    const via = `SIP/2.0/${to.protocol.toUpperCase()} ${local.hostPort};rport;branch=${newBranch()}`;
    // Via leads (RFC 3261 7.3.1 recommends it, and some peers insist).
    return { ...request, headers: new Map([['via', [via]], ...request.headers]) };
  };

  return {
    port: wire.port,
    tlsPort: wire.tlsPort,
    timing,
    addressing,
    dialogs,
    ringing,
    counts,
    transactions: transactions.count,
    unanswered: transactions.open,
    watch: (work) => void work.catch(options.onError),
    request: (request, to, local, handlers) =>
      transactions.request(request.headers.has('via') ? request : withVia(request, to, local), to, {
        onResponse: (response, from) => guarded(() => handlers.onResponse(response, from)),
        onFailure: (status, description) => guarded(() => handlers.onFailure(status, description)),
      }),
    sendAck: (ack, to, local) => void wire.send(serialise(withVia(ack, to, local)), to).catch(() => {}),
    async close() {
      transactions.close();
      await wire.close();
    },
  };
}

/** Why an INVITE cannot be for us; undefined when it can. */
function whyNotInvite(request: SipRequest): number | undefined {
  if (integerOf(request, 'max-forwards') === 0) return 483;
  if (request.headers.has('content-encoding')) return 415;
  const accepted = tokensOf(request, 'accept').map((type) => type.split(';')[0]!.trim().toLowerCase());
  const fitting = ['application/sdp', 'application/*', '*/*'];
  return accepted.length > 0 && !accepted.some((type) => fitting.includes(type)) ? 406 : undefined;
}
