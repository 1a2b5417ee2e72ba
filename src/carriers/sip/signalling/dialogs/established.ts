// A call that was answered, until it is over: what either side may ask of the other (RFC 3261 14 and 15, RFC 3311, RFC 4028).
import { abilities, type DialogUser } from '../agent.ts';
import { cseqOf, tokensOf } from '../message/fields.ts';
import { type Given, header, makeResponse, type SipRequest, type SipResponse } from '../message/message.ts';
import { Malformed } from '../message/uri.ts';
import { type Negotiation, sdpIn } from '../sdp/negotiate.ts';
import { giveUpMs, t1Ms, t2Ms } from '../transactions/timing.ts';
import { makeAlarms, type ServerTransaction } from '../transactions/transaction.ts';
import { acknowledge, askInDialog, type InDialog } from './ask.ts';
import { dialogKey, moveTarget } from './dialog.ts';
import { makeSessionTimer, type Terms, termsOfAnswer, termsOfRequest, wishedSeconds } from './session-timers.ts';

export interface CallEnd {
  by: 'peer' | 'us' | 'network';
  code: number;
  description: string;
}

export interface EstablishedOptions extends InDialog {
  negotiation: Negotiation;
  onDigit(digit: string): void;
  onEnd(end: CallEnd): void;
}

export interface Established extends DialogUser {
  /** Repeats a 2xx until its ACK; `onAck` gets that, and may find that it says nothing usable. */
  confirm(transaction: ServerTransaction, response: SipResponse, onAck?: (ack: SipRequest) => void): void;
  setTerms(terms: Terms | undefined): void;
  /** What the peer said that it takes. */
  note(message: SipRequest | SipResponse): void;
  hangUp(): void;
  fail(code: number, description: string): void;
}

export function establish(options: EstablishedOptions): Established {
  const { agent, dialog, negotiation } = options;
  const key = dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag);
  const alarms = makeAlarms(agent.timing);
  /** By CSeq: what waits for its ACK. */
  const unconfirmed = new Map<number, ((ack: SipRequest) => void) | undefined>();
  let isOver = false;
  let isAsking = false;
  let takesUpdate = false;
  let byeIsDue = false;
  const timer = makeSessionTimer(agent.timing, {
    refresh: () => agent.watch(refresh()),
    expire: () => end({ by: 'network', code: 408, description: 'The other side did not refresh the session.' }, true),
  });

  function end(how: CallEnd, sayBye: boolean): void {
    if (isOver) return;
    isOver = true;
    timer.stop();
    // Before its ACK a call may not be ended (RFC 3261 15): the one who answered waits for that first.
    if (sayBye && unconfirmed.size > 0) byeIsDue = true;
    else {
      forget();
      if (sayBye) agent.watch(askInDialog(options, 'BYE'));
    }
    options.onEnd(how);
  }

  function forget(): void {
    alarms.clearAll();
    agent.dialogs.delete(key);
  }

  function reply(transaction: ServerTransaction, status: number, headers?: Given, body?: string): SipResponse {
    const response = makeResponse(transaction.request, status, {
      ...(headers && { headers }),
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    transaction.respond(response);
    return response;
  }

  function confirm(transaction: ServerTransaction, response: SipResponse, onAck?: (ack: SipRequest) => void): void {
    const { number } = cseqOf(transaction.request);
    unconfirmed.set(number, onAck);
    const again = (waitMs: number): void =>
      alarms.set(`again ${number}`, waitMs, () => {
        transaction.respond(response);
        again(Math.min(waitMs * 2, t2Ms));
      });
    again(t1Ms);
    alarms.set(`giveUp ${number}`, giveUpMs, () => {
      confirmed(number);
      end({ by: 'network', code: 408, description: 'The answer was never acknowledged.' }, true);
    });
  }

  function confirmed(number: number): void {
    unconfirmed.delete(number);
    alarms.clear(`again ${number}`);
    alarms.clear(`giveUp ${number}`);
    if (!byeIsDue || unconfirmed.size > 0) return;
    byeIsDue = false;
    forget();
    agent.watch(askInDialog(options, 'BYE'));
  }

  /** INVITE and UPDATE within the call: another address, hold, or only a sign of life. */
  function renegotiate(request: SipRequest, transaction: ServerTransaction): void {
    const isInvite = request.method === 'INVITE';
    if (isAsking) return void reply(transaction, 491);
    if (isInvite && unconfirmed.size > 0) return void reply(transaction, 500, { 'retry-after': '1' });
    const { terms, headers, tooSmall } = termsOfRequest(request);
    if (tooSmall) return void reply(transaction, 422, headers);
    const offer = sdpIn(header(request, 'content-type'), request.body);
    const body =
      offer === undefined
        ? isInvite
          ? negotiation.current()
          : undefined
        : negotiation.answer(offer, dialog.peer.address);
    if (offer !== undefined && body === undefined) return void reply(transaction, 488);
    moveTarget(dialog, request);
    if (terms) timer.set(terms);
    const type: Given = body === undefined ? {} : { 'content-type': 'application/sdp' };
    const response = reply(transaction, 200, { ...abilities, contact: dialog.contact, ...type, ...headers }, body);
    if (isInvite) confirm(transaction, response, offer === undefined ? takeAnswer : undefined);
  }

  /** The answer to an offer that we made in a 2xx comes with the ACK. */
  function takeAnswer(ack: SipRequest): void {
    const answer = sdpIn(header(ack, 'content-type'), ack.body);
    if (answer !== undefined) negotiation.accept(answer, dialog.peer.address);
  }

  async function refresh(): Promise<void> {
    if (isOver || isAsking) return;
    isAsking = true;
    const headers: Given = {
      contact: dialog.contact,
      supported: 'timer',
      'session-expires': `${wishedSeconds};refresher=uac`,
    };
    const method = takesUpdate ? 'UPDATE' : 'INVITE';
    const answer = await askInDialog(options, method, {
      headers: takesUpdate ? headers : { ...headers, 'content-type': 'application/sdp' },
      ...(!takesUpdate && { body: Buffer.from(negotiation.current()) }),
    });
    isAsking = false;
    const { status, response, request } = answer;
    if (isOver) return;
    if (response && status < 300) {
      moveTarget(dialog, response);
      if (method === 'INVITE') {
        await acknowledge(options, request);
        const sdp = sdpIn(header(response, 'content-type'), response.body);
        if (sdp !== undefined) negotiation.accept(sdp, dialog.peer.address);
      }
      timer.set(termsOfAnswer(response));
    } else if (status === 481 || status === 408) {
      // RFC 3261 12.2.1.2: the other side does not know the call any more.
      end({ by: 'network', code: status, description: 'The other side is gone.' }, true);
    } else timer.set({ seconds: 20, weRefresh: true });
  }

  function receive(request: SipRequest, transaction: ServerTransaction): void {
    const { number } = cseqOf(request);
    // RFC 3261 12.2.2: what was overtaken is not carried out.
    if (number < dialog.remoteSeq) return void reply(transaction, 500);
    dialog.remoteSeq = number;
    dialog.peer = transaction.peer;
    note(request);
    switch (request.method) {
      case 'BYE':
        reply(transaction, 200);
        forget();
        return void end({ by: 'peer', code: 200, description: byeReason(request) }, false);
      case 'INVITE':
      case 'UPDATE':
        return void renegotiate(request, transaction);
      case 'INFO': {
        reply(transaction, 200);
        const digit = digitOf(header(request, 'content-type'), request.body);
        if (digit !== undefined && !isOver) options.onDigit(digit);
        return;
      }
      case 'OPTIONS':
        return void reply(transaction, 200, abilities);
      default:
        reply(transaction, 405, { allow: abilities['allow'] });
    }
  }

  function note(message: SipRequest | SipResponse): void {
    const allows = tokensOf(message, 'allow');
    if (allows.length > 0) takesUpdate = allows.some((method) => method.toUpperCase() === 'UPDATE');
  }

  const user: Established = {
    receive(request, transaction) {
      try {
        receive(request, transaction);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        reply(transaction, (error.cause as number | undefined) ?? 400);
      }
    },
    ack(request) {
      const { number } = cseqOf(request);
      if (!unconfirmed.has(number)) return;
      const onAck = unconfirmed.get(number);
      confirmed(number);
      if (!isOver) onAck?.(request);
    },
    confirm,
    setTerms: timer.set,
    note,
    hangUp: () => end({ by: 'us', code: 200, description: 'Hung up.' }, true),
    fail: (code, description) => end({ by: 'network', code, description }, true),
  };
  agent.dialogs.set(key, user);
  return user;
}

/** RFC 3326: `Q.850;cause=16;text="Normal call clearing"`. */
function byeReason(request: SipRequest): string {
  const text = /;\s*text\s*=\s*"([^"]{0,200})"/i.exec(header(request, 'reason') ?? '')?.[1];
  return text ?? 'Hung up.';
}

/** A key that was pressed, as INFO tells it: `Signal=5` of application/dtmf-relay, or the bare key of application/dtmf. */
function digitOf(contentType: string | undefined, body: Buffer): string | undefined {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  const text = body.toString('latin1', 0, 200);
  const key =
    type.trim() === 'application/dtmf-relay'
      ? /^\s*signal\s*=\s*([0-9*#a-d]|1[0-5])\s*$/im.exec(text)?.[1]
      : type.trim() === 'application/dtmf'
        ? /^\s*([0-9*#a-d]|1[0-5])\s*$/i.exec(text)?.[1]
        : undefined;
  // Some write the number of the event (RFC 4733 3.2) where a sign is meant.
  return key && (eventKeys[key] ?? key.toUpperCase());
}

const eventKeys: Readonly<Record<string, string>> = { 10: '*', 11: '#', 12: 'A', 13: 'B', 14: 'C', 15: 'D' };
