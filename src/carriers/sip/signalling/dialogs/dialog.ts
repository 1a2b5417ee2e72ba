// Two sides that know each other (RFC 3261 12).
import { callIdOf, contactOf, cseqOf, fromTag, listOf, parseAddress, toTag } from '../message/fields.ts';
import {
  type Given,
  type Headers,
  header,
  headersOf,
  noBody,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts';
import { parseUri } from '../message/uri.ts';
import type { Peer } from '../transport/wire.ts';

export interface Dialog {
  callId: string;
  localTag: string;
  remoteTag: string;
  /** From and To as our requests write them. */
  local: string;
  remote: string;
  /** Where the other side is; moves with its Contact. */
  target: string;
  routes: string[];
  localSeq: number;
  /** -1: nothing came yet. */
  remoteSeq: number;
  /** The source of the last message. */
  peer: Peer;
  /** What the peer reaches us by. */
  contact: string;
}

export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId} ${localTag} ${remoteTag}`;

/** Of a request that came: ours is the To. */
export const keyOfRequest = (request: SipRequest): string =>
  dialogKey(callIdOf(request), toTag(request), fromTag(request));

/** We called: the answer tells who is there. */
export function dialogOfAnswer(invite: SipRequest, response: SipResponse, peer: Peer, contact: string): Dialog {
  return {
    callId: callIdOf(invite),
    localTag: fromTag(invite),
    remoteTag: toTag(response),
    local: header(invite, 'from')!,
    remote: header(response, 'to')!,
    target: targetOf(response) ?? invite.uri,
    routes: listOf(response, 'record-route').toReversed(),
    localSeq: cseqOf(invite).number,
    remoteSeq: -1,
    peer,
    contact,
  };
}

/** They called. */
export function dialogOfInvite(invite: SipRequest, localTag: string, peer: Peer, contact: string): Dialog {
  return {
    callId: callIdOf(invite),
    localTag,
    remoteTag: fromTag(invite),
    local: `${header(invite, 'to')!};tag=${localTag}`,
    remote: header(invite, 'from')!,
    target: targetOf(invite) ?? parseAddress(header(invite, 'from')!).uri,
    routes: listOf(invite, 'record-route'),
    localSeq: Math.floor(Math.random() * 10_000),
    remoteSeq: cseqOf(invite).number,
    peer,
    contact,
  };
}

const targetOf = (message: SipMessage): string | undefined => contactOf(message)?.uri;

/** Contact may move with every request and answer that refreshes the target (RFC 3261 12.2). */
export function moveTarget(dialog: Dialog, message: SipMessage): void {
  dialog.target = targetOf(message) ?? dialog.target;
}

const isLoose = (route: string): boolean => parseUri(parseAddress(route).uri).params.has('lr');

/** A request within it, still without its Via. RFC 3261 12.2.1.1, with the strict routers of old. */
export function requestIn(
  dialog: Dialog,
  method: string,
  options: { headers?: Given; body?: Buffer; cseq?: number } = {},
): SipRequest {
  const [first] = dialog.routes;
  const isStrict = first !== undefined && !isLoose(first);
  const routes = isStrict ? [...dialog.routes.slice(1), `<${dialog.target}>`] : dialog.routes;
  const cseq = options.cseq ?? ++dialog.localSeq;
  const headers: Headers = headersOf({
    'max-forwards': '70',
    from: dialog.local,
    to: dialog.remote,
    'call-id': dialog.callId,
    cseq: `${cseq} ${method}`,
    ...(routes.length > 0 && { route: routes }),
    ...options.headers,
  });
  const uri = isStrict ? parseAddress(first).uri : dialog.target;
  return { kind: 'request', method, uri, headers, body: options.body ?? noBody };
}

/** The URI that a request within the dialog is sent to: the first route, or else the remote target. */
export const nextHop = ({ routes, target }: Dialog): string => (routes[0] ? parseAddress(routes[0]).uri : target);
