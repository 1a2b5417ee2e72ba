// Where answers go, and what a request is marked with when it arrives (RFC 3261 18.2, RFC 3581).
import { splitOutside, viaOf, viaText } from '../message/fields.ts';
import type { SipRequest } from '../message/message.ts';
import type { Peer, Protocol } from './wire.ts';

export const defaultPortOf = (protocol: Protocol): number => (protocol === 'tls' ? 5061 : 5060);

/** As it stands in an address; UDP is what an address means without it. */
export const transportParam = (protocol: Protocol): string => (protocol === 'udp' ? '' : `;transport=${protocol}`);

/** By which protocol an address is reached: `sips:` and `transport=tls` are TLS. */
export function protocolOf(scheme: string, transport: string | null | undefined, otherwise: Protocol): Protocol {
  const named = transport?.toLowerCase();
  if (scheme === 'sips' || named === 'tls') return 'tls';
  return named === 'tcp' ? 'tcp' : otherwise;
}

/** Writes the real source of a request into its topmost Via (`received`, `rport`): responses are routed by it. */
export function stampVia(request: SipRequest, { address, port }: Peer): void {
  const lines = request.headers.get('via')!;
  const [, ...others] = splitOutside(lines[0]!, ',');
  const via = viaOf(request);
  const asksPort = via.params.has('rport');
  if (via.host === address && !asksPort) return;
  const params = new Map(via.params).set('received', address.includes(':') ? `[${address}]` : address);
  if (asksPort) params.set('rport', String(port));
  request.headers.set('via', [[viaText({ ...via, params }), ...others].join(','), ...lines.slice(1)]);
}

/** Where the answer to a request goes: to where it came from, by the port that it came from if it asked for that. */
export function answerPeer(request: SipRequest, from: Peer): Peer {
  const { params, port = defaultPortOf(from.protocol) } = viaOf(request);
  if (from.protocol === 'udp') return { ...from, port: params.has('rport') ? from.port : port };
  return { ...from, port };
}
