import type { Agent } from '../agent.ts';
import { authorise, type Credentials } from '../authentication/digest.ts';
import { cseqOf } from '../message/fields.ts';
import type { Given, SipRequest, SipResponse } from '../message/message.ts';
import { cancelOf } from '../transactions/client.ts';
import type { ClientTransaction } from '../transactions/transaction.ts';
import type { LocalAddress } from '../transport/addressing.ts';
import type { Peer } from '../transport/wire.ts';
import { type Dialog, nextHop, requestIn } from './dialog.ts';

/** How a request ended: with a final answer, or with what stands for it (408, 503). */
export interface Answer {
  status: number;
  description: string;
  response?: SipResponse;
  request: SipRequest;
  /** Where the request went, and the response came from. */
  to: Peer;
  from?: Peer;
}

/** Sends a request and waits for its end. */
export const ask = (agent: Agent, request: SipRequest, to: Peer, local: LocalAddress): Promise<Answer> =>
  new Promise((resolve) => {
    const { request: sent }: ClientTransaction = agent.request(request, to, local, {
      onResponse(response, from) {
        if (response.status < 200) return;
        resolve({ status: response.status, description: response.reason, response, request: sent, to, from });
      },
      onFailure: (status, description) => resolve({ status, description, request: sent, to }),
    });
  });

/** The same once more with proof, if it was asked for and there is one. `make` makes it with the next CSeq. */
export async function askWithProof(
  agent: Agent,
  to: Peer,
  local: LocalAddress,
  credentials: Credentials | undefined,
  make: (proof: Given) => SipRequest,
): Promise<Answer> {
  let proof: Given = {};
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(agent, make(proof), to, local);
    const next = proofFor(answer, credentials, attempt);
    if (!next) return answer;
    proof = { ...proof, ...next };
  }
}

/** undefined: the response has no challenge, its sender may not challenge us, or our credentials were already refused. */
export function proofFor(
  { status, response, request, to, from }: Answer,
  credentials: Credentials | undefined,
  attempt: number,
): Given | undefined {
  if ((status !== 401 && status !== 407) || !response || !credentials) return undefined;
  if (!mayAsk(credentials, to) || !mayAsk(credentials, from)) return undefined;
  const proof = authorise(response, request, credentials);
  if (!proof) return undefined;
  // Refused once with this very password: only a nonce that aged is worth another try.
  const wasRefused = request.headers.has(proof.name) && !proof.isStale;
  return wasRefused || attempt > 3 ? undefined : { [proof.name]: proof.value };
}

const mayAsk = ({ addresses }: Credentials, peer: Peer | undefined): boolean =>
  peer !== undefined && addresses.includes(peer.address);

export interface InDialog {
  agent: Agent;
  dialog: Dialog;
  local: LocalAddress;
  credentials: Credentials | undefined;
}

/** Where requests of a dialog go now. */
async function hopOf({ agent, dialog }: InDialog): Promise<Peer> {
  try {
    return await agent.addressing.resolve(nextHop(dialog), dialog.peer, dialog.routes.length > 0);
  } catch {
    // If the name does not resolve, the source of the last message is the best guess.
    return dialog.peer;
  }
}

export async function askInDialog(
  within: InDialog,
  method: string,
  options: { headers?: Given; body?: Buffer } = {},
): Promise<Answer> {
  const { agent, dialog, local, credentials } = within;
  const hop = await hopOf(within);
  return askWithProof(agent, hop, local, credentials, (proof) =>
    requestIn(dialog, method, { ...options, headers: { ...options.headers, ...proof } }),
  );
}

/** Acknowledges the answer to an INVITE of ours: as often as the answer comes. */
export async function acknowledge(within: InDialog, invite: SipRequest, body?: Buffer): Promise<void> {
  const { agent, dialog, local, credentials } = within;
  const { number } = cseqOf(invite);
  const hop = await hopOf(within);
  // RFC 3261 13.2.2.4 wants the INVITE's proof in its ACK; it is for the trunk alone all the same.
  const names = credentials && mayAsk(credentials, hop) ? ['authorization', 'proxy-authorization'] : [];
  const proofs = Object.fromEntries(names.map((name) => [name, invite.headers.get(name)]));
  const ack = requestIn(dialog, 'ACK', {
    cseq: number,
    headers: { ...proofs, ...(body && { 'content-type': 'application/sdp' }) },
    ...(body && { body }),
  });
  agent.sendAck(ack, hop, local);
}

/** Takes back an INVITE. What becomes of that one is told by its own answer. */
export const takeBack = (agent: Agent, { request, peer }: ClientTransaction, local: LocalAddress): Promise<Answer> =>
  ask(agent, cancelOf(request), peer, local);
