import { callIdOf, cseqOf, fromTag, toTag, viaOf } from '../message/fields.ts';
import { makeResponse, type SipMessage, type SipRequest, type SipResponse } from '../message/message.ts';
import type { Peer } from '../transport/wire.ts';
import { startClient } from './client.ts';
import { startServer } from './server.ts';
import type { ClientHandlers, ClientTransaction, Ground, ServerTransaction } from './transaction.ts';

export interface TransactionHandlers {
  /** A request that is new, with the transaction that it is answered by. */
  onRequest(request: SipRequest, transaction: ServerTransaction): void;
  /** The ACK of a 2xx, which is a transaction of its own that nobody answers. */
  onAck(ack: SipRequest): void;
  /** A 2xx that belongs to no request under way: its ACK was lost, or the call is given up. */
  onStray(response: SipResponse): void;
}

export interface Transactions {
  /** Whether it is a request that came before, or the ACK of one that was refused. */
  knows(request: SipRequest): boolean;
  receive(message: SipMessage, from: Peer): void;
  request(request: SipRequest, to: Peer, handlers: ClientHandlers): ClientTransaction;
  /** The INVITE that a CANCEL takes back. */
  findInvite(cancel: SipRequest): ServerTransaction | undefined;
  count(): number;
  /** Requests of ours that wait for their answer. */
  open(): number;
  /** Ends all, without a word. */
  close(): void;
}

/** Branches that RFC 3261 made unique begin so; others are of RFC 2543 and say little. */
const magicCookie = 'z9hG4bK';

export function makeTransactions(ground: Ground, handlers: TransactionHandlers): Transactions {
  const clients = new Map<string, ClientTransaction>();
  const servers = new Map<string, ServerTransaction>();
  /** By what stays the same when a request reaches us by two ways (RFC 3261 8.2.2.2). */
  const merges = new Map<string, string>();

  function receiveRequest(request: SipRequest, from: Peer): void {
    const key = serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method);
    const known = servers.get(key);
    if (request.method === 'ACK') {
      if (known && known.status >= 300) known.receive(request);
      else handlers.onAck(request);
      return;
    }
    if (known) return void known.receive(request);
    const merge = toTag(request) === '' && request.method !== 'CANCEL' ? mergeKey(request) : undefined;
    const isMerged = merge !== undefined && merges.has(merge);
    const transaction = startServer(ground, request, from, () => {
      servers.delete(key);
      if (merge !== undefined && merges.get(merge) === key) merges.delete(merge);
    });
    servers.set(key, transaction);
    if (isMerged) return void transaction.respond(makeResponse(request, 482, { toTag: 'merged' }));
    if (merge !== undefined) merges.set(merge, key);
    handlers.onRequest(request, transaction);
  }

  function receiveResponse(response: SipResponse, from: Peer): void {
    const { method } = cseqOf(response);
    const client = clients.get(clientKey(response, method));
    if (client) client.receive(response, from);
    else if (method === 'INVITE' && response.status >= 200 && response.status < 300) handlers.onStray(response);
  }

  return {
    knows: (request) => servers.has(serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method)),
    receive(message, from) {
      if (message.kind === 'request') receiveRequest(message, from);
      else receiveResponse(message, from);
    },
    request(request, to, clientHandlers) {
      const key = clientKey(request, request.method);
      const transaction = startClient(ground, request, to, clientHandlers, () => clients.delete(key));
      clients.set(key, transaction);
      return transaction;
    },
    findInvite: (cancel) => servers.get(serverKey(cancel, 'INVITE')),
    count: () => clients.size + servers.size,
    open: () =>
      clients
        .values()
        .filter(({ isOpen }) => isOpen)
        .toArray().length,
    close() {
      for (const transaction of [...clients.values(), ...servers.values()]) transaction.end();
    },
  };
}

const clientKey = (message: SipMessage, method: string): string =>
  `${viaOf(message).params.get('branch') ?? ''} ${method}`;

function serverKey(request: SipRequest, method: string): string {
  const { host, port, params } = viaOf(request);
  const branch = params.get('branch') ?? '';
  const place = `${host.toLowerCase()}:${port ?? ''}`;
  if (branch.startsWith(magicCookie) && branch.length > magicCookie.length) return `${branch} ${place} ${method}`;
  const { number } = cseqOf(request);
  return ['2543', callIdOf(request), fromTag(request), number, branch, place, request.uri, method].join(' ');
}

const mergeKey = (request: SipRequest): string => {
  const { number, method } = cseqOf(request);
  return `${callIdOf(request)} ${fromTag(request)} ${number} ${method}`;
};
