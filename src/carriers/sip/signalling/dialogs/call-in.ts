// A call that reached us, until it is answered or refused.
//
//   trying ──ring──▶ ringing ──answer──▶ established (established.ts)
//      └────────────────┴── refused by us, cancelled or given up by the caller ──▶ over
import { type Agent, abilities } from '../agent.ts';
import { fromTag } from '../message/fields.ts';
import { type Given, header, makeResponse, newTag, type SipRequest } from '../message/message.ts';
import { Malformed } from '../message/uri.ts';
import { type Negotiation, sdpIn } from '../sdp/negotiate.ts';
import type { ServerTransaction } from '../transactions/transaction.ts';
import type { LocalAddress } from '../transport/addressing.ts';
import { dialogKey, dialogOfInvite } from './dialog.ts';
import { type CallEnd, type Established, establish } from './established.ts';
import { termsOfRequest } from './session-timers.ts';

export interface CallIn {
  readonly request: SipRequest;
  /** The session that the caller proposes; undefined: we are to propose one. */
  readonly offer: string | undefined;
  ring(): void;
  /** False when it is too late, or nothing is in common; then the caller was told so. */
  answer(negotiation: Negotiation, local: LocalAddress): boolean;
  /** `why` is told to the caller, too. */
  reject(status: number, why?: string): void;
  /** Ends it in whatever way fits. */
  hangUp(): void;
}

export interface CallInOptions {
  onDigit(digit: string): void;
  onEnd(end: CallEnd): void;
}

/** undefined: it was refused, for what it proposes cannot be. Throws `Malformed`. */
export function takeCall(
  agent: Agent,
  request: SipRequest,
  transaction: ServerTransaction,
  options: CallInOptions,
): CallIn | undefined {
  const tag = newTag();
  const earlyKey = dialogKey(header(request, 'call-id')!.trim(), tag, fromTag(request));
  let call: Established | undefined;
  let isOver = false;

  function respond(status: number, extra: { headers?: Given; body?: string } = {}) {
    const { headers, body } = extra;
    const response = makeResponse(request, status, {
      toTag: tag,
      ...(headers && { headers }),
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    transaction.respond(response);
    return response;
  }

  const timing = termsOfRequest(request);
  const offer = sdpIn(header(request, 'content-type'), request.body);
  if (timing.tooSmall) {
    respond(422, timing);
    return undefined;
  }
  respond(100);

  function over(end: CallEnd, status: number, why?: string): void {
    if (isOver || call) return;
    isOver = true;
    agent.ringing.delete(transaction);
    agent.dialogs.delete(earlyKey);
    respond(status, why === undefined ? {} : { headers: { warning: `399 parley "${why}"` } });
    options.onEnd(end);
  }

  const abandoned = (description: string): void => over({ by: 'peer', code: 487, description }, 487);
  agent.ringing.set(transaction, () => abandoned('The caller hung up before the answer.'));
  // BYE may take the place of CANCEL (RFC 3261 15.1.2).
  agent.dialogs.set(earlyKey, {
    receive(inside, its) {
      const isBye = inside.method === 'BYE';
      its.respond(makeResponse(inside, isBye ? 200 : 500));
      if (isBye) abandoned('The caller hung up before the answer.');
    },
    ack: () => {},
  });

  return {
    request,
    offer,
    ring() {
      if (!isOver && !call) respond(180, { headers: abilities });
    },
    answer(negotiation, local) {
      if (isOver || call) return false;
      let body: string | undefined;
      try {
        body = offer === undefined ? negotiation.offer() : negotiation.answer(offer, transaction.peer.address);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        over({ by: 'us', code: 400, description: error.message }, 400);
        return false;
      }
      if (body === undefined) {
        over({ by: 'us', code: 488, description: negotiation.problem() }, 488);
        return false;
      }
      const contact = agent.addressing.contact(local, transaction.peer);
      const dialog = dialogOfInvite(request, tag, transaction.peer, contact);
      agent.ringing.delete(transaction);
      agent.dialogs.delete(earlyKey);
      const established = establish({ agent, dialog, local, negotiation, credentials: undefined, ...options });
      call = established;
      established.note(request);
      const routes = request.headers.get('record-route');
      const response = respond(200, {
        headers: {
          ...(routes && { 'record-route': routes }),
          ...abilities,
          contact,
          'content-type': 'application/sdp',
          ...timing.headers,
        },
        body,
      });
      established.setTerms(timing.terms);
      established.confirm(transaction, response, (ack) => {
        if (offer !== undefined) return;
        const answer = sdpIn(header(ack, 'content-type'), ack.body);
        if (answer === undefined || !negotiation.accept(answer, dialog.peer.address))
          established.fail(488, negotiation.problem());
      });
      return true;
    },
    reject: (status, why) => over({ by: 'us', code: status, description: why ?? 'Refused.' }, status, why),
    hangUp() {
      if (call) call.hangUp();
      else over({ by: 'us', code: 603, description: 'Refused.' }, 603);
    },
  };
}
