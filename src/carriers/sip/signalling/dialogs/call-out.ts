// A call of ours (RFC 3261 13.2 and 9.1).
//
//   calling ──▶ ringing ──2xx──▶ established (established.ts)
//      └───────────┴── refused, unanswered, cancelled ──▶ over
//
// Once it is cancelled whoever waits is told at once; a 2xx that crosses the CANCEL is acknowledged and hung up behind the scenes.
import { type Agent, abilities } from '../agent.ts';
import type { Credentials } from '../authentication/digest.ts';
import { integerOf, toTag } from '../message/fields.ts';
import { type Given, header, headersOf, newTag, type SipRequest, type SipResponse } from '../message/message.ts';
import { Malformed } from '../message/uri.ts';
import { type Negotiation, sdpIn } from '../sdp/negotiate.ts';
import { giveUpMs } from '../transactions/timing.ts';
import type { ClientTransaction } from '../transactions/transaction.ts';
import type { LocalAddress } from '../transport/addressing.ts';
import type { Peer } from '../transport/wire.ts';
import { acknowledge, type InDialog, proofFor, takeBack } from './ask.ts';
import { dialogOfAnswer } from './dialog.ts';
import { type CallEnd, type Established, establish } from './established.ts';
import { leastSeconds, termsOfAnswer, wishedSeconds } from './session-timers.ts';

export interface CallOutOptions {
  callId: string;
  uri: string;
  /** Name-addr without a tag. */
  from: string;
  to: string;
  peer: Peer;
  local: LocalAddress;
  credentials: Credentials | undefined;
  negotiation: Negotiation;
  headers?: Given;
  /** The first sign of life. */
  onTrying(): void;
  onRinging(): void;
  onAnswered(): void;
  /** Not answered. `isSilent`: nothing came at all. */
  onFailed(status: number, description: string, isSilent: boolean): void;
  onDigit(digit: string): void;
  onEnd(end: CallEnd): void;
}

export interface CallOut {
  /** Cancels it, or hangs up. */
  hangUp(): void;
}

export function placeCall(agent: Agent, options: CallOutOptions): CallOut {
  const { callId, local, peer, negotiation } = options;
  const tag = newTag();
  const contact = agent.addressing.contact(local, peer);
  let sequence = 0;
  let attempts = 0;
  let minSe = leastSeconds;
  let proof: Given = {};
  let transaction: ClientTransaction;
  let isSilent = true;
  let isCancelSent = false;
  /** calling; failed or cancelled, whichever was told; or the call that came of it. */
  let outcome: 'open' | 'over' | Established = 'open';
  /** The dialogs that answers opened, by tag: more than one when the call was forked on its way. */
  const answers = new Map<string, InDialog>();
  let earlySdp: string | undefined;

  function makeInvite(): SipRequest {
    const headers = headersOf({
      'max-forwards': '70',
      from: `${options.from};tag=${tag}`,
      to: options.to,
      'call-id': callId,
      cseq: `${++sequence} INVITE`,
      contact,
      ...abilities,
      'session-expires': String(Math.max(wishedSeconds, minSe)),
      ...(minSe > leastSeconds && { 'min-se': String(minSe) }),
      'content-type': 'application/sdp',
      ...options.headers,
      ...proof,
    });
    return { kind: 'request', method: 'INVITE', uri: options.uri, headers, body: Buffer.from(negotiation.offer()) };
  }

  function fail(status: number, description: string): void {
    if (outcome !== 'open') return;
    outcome = 'over';
    options.onFailed(status, description, isSilent);
  }

  function call(): void {
    attempts++;
    transaction = agent.request(makeInvite(), peer, local, { onResponse, onFailure: fail });
  }

  function onResponse(response: SipResponse, from: Peer): void {
    const { status } = response;
    if (isSilent && outcome === 'open') options.onTrying();
    isSilent = false;
    if (status < 200) return void onProvisional(response);
    if (status < 300) return void onAnswer(response);
    if (outcome === 'open' && shouldTryAgain(response, from)) return void call();
    fail(status, response.reason);
  }

  function onProvisional(response: SipResponse): void {
    if (outcome !== 'open') return void cancel();
    if (response.status === 180 || response.status === 183) options.onRinging();
    earlySdp = sdpOf(response) ?? earlySdp;
  }

  function shouldTryAgain(response: SipResponse, from: Peer): boolean {
    const { status, reason: description } = response;
    if (status === 422 && attempts < 4) {
      minSe = Math.min(integerOf(response, 'min-se') ?? wishedSeconds, 86_400);
      return true;
    }
    const next = proofFor(
      { status, description, response, request: transaction.request, to: peer, from },
      options.credentials,
      attempts,
    );
    if (next) proof = { ...proof, ...next };
    return next !== undefined;
  }

  function onAnswer(response: SipResponse): void {
    const remoteTag = toTag(response);
    const known = answers.get(remoteTag);
    if (known) return void agent.watch(acknowledge(known, transaction.request));
    const dialog = dialogOfAnswer(transaction.request, response, peer, contact);
    const within: InDialog = { agent, dialog, local, credentials: options.credentials };
    answers.set(remoteTag, within);
    agent.watch(acknowledge(within, transaction.request).then(() => settle(response, within)));
  }

  function settle(response: SipResponse, within: InDialog): void {
    const isWanted = outcome === 'open';
    const { onDigit } = options;
    const onEnd = (end: CallEnd): void => void (isWanted && options.onEnd(end));
    const call = establish({ ...within, negotiation, onDigit, onEnd });
    // Somebody else answered first, or we gave up just before.
    if (!isWanted) return void call.hangUp();
    call.note(response);
    const sdp = sdpOf(response) ?? earlySdp;
    if (sdp === undefined || !accepts(sdp)) {
      fail(488, negotiation.problem());
      return void call.hangUp();
    }
    outcome = call;
    call.setTerms(termsOfAnswer(response));
    options.onAnswered();
  }

  function accepts(sdp: string): boolean {
    try {
      return negotiation.accept(sdp, peer.address);
    } catch (error) {
      if (error instanceof Malformed) return false;
      throw error;
    }
  }

  /** Only what was heard of can be taken back: before any answer, CANCEL may overtake its INVITE (RFC 3261 9.1). */
  function cancel(): void {
    if (isCancelSent || isSilent) return;
    isCancelSent = true;
    const { end } = transaction;
    agent.watch(takeBack(agent, transaction, local));
    // RFC 3261 9.1: one who does not answer even now is not waited for.
    agent.timing.after(giveUpMs, end);
  }

  call();
  return {
    hangUp() {
      if (outcome === 'over') return;
      if (outcome !== 'open') return outcome.hangUp();
      fail(487, 'Cancelled.');
      cancel();
    },
  };
}

function sdpOf(response: SipResponse): string | undefined {
  try {
    return sdpIn(header(response, 'content-type'), response.body);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
