import { newId } from '../../platform/ids.ts';
import { kindOf } from '../ports/legs.ts';
import type { DialOutcome, DialRequest, LegEnd, OutboundLeg } from '../ports/voice.ts';
import { AriError } from './ari/ari.ts';
import { answeredEnd, codeOf } from './ari/causes.ts';
import { type LiveLeg, makeLeg } from './leg.ts';
import { hangUp, ownPrefix, type Switchboard } from './switchboard.ts';

/** How Asterisk is to reach somebody. */
export interface Endpoints {
  /** `PJSIP/{number}@trunk`, or with `{digits}` where the carrier wants no plus. */
  number: string;
  /** `PJSIP/trunk/{address}`; '': SIP addresses are not called. */
  address: string;
}

type Failure = Exclude<DialOutcome, { kind: 'answered' }>;

/** Asterisk gives up by itself only when we cannot tell it any more. */
const spareSeconds = 5;

export function dial(board: Switchboard, request: DialRequest, endpoints: Endpoints): OutboundLeg {
  const { promise: outcome, resolve } = Promise.withResolvers<DialOutcome>();
  const id = `${ownPrefix}${newId()}`;
  let gaveUp: Failure = { kind: 'cancelled', code: 487, description: 'Cancelled.' };

  function fail(how: Failure): LegEnd {
    resolve(how);
    const by = how.kind === 'cancelled' ? 'us' : how.kind === 'unreachable' ? 'network' : 'peer';
    return { by, code: how.code, description: how.description };
  }

  const live: LiveLeg = makeLeg(board, {
    id,
    accountId: request.accountId,
    isAnswered: false,
    // Somebody who has not answered hears nothing of us.
    canSignalRinging: false,
    onEntered() {
      if (live.isOver || live.isAnswered) return;
      live.isAnswered = true;
      clearTimeout(timer);
      resolve({ kind: 'answered' });
    },
    endOf: (how) => {
      if (live.isAnswered) return answeredEnd(how);
      const code = codeOf(how);
      return fail({ kind: kindOf(code), code, description: how.text || 'No answer.' });
    },
    giveUp: () => fail(gaveUp),
    ready: () => originated,
  });

  const timer = setTimeout(() => {
    gaveUp = { kind: 'unanswered', code: 480, description: 'Nobody answered.' };
    void live.leg.hangUp();
  }, request.timeoutMs);
  void live.leg.ended.then(({ code, description }) => {
    clearTimeout(timer);
    resolve({ kind: 'unreachable', code, description });
  });

  const originated = originate(board, id, request, endpoints).catch((error: Error) => {
    // Without an answer it is not known whether a phone rings.
    if (error instanceof AriError && error.status === 0) hangUp(board, id);
    live.end(fail({ kind: 'unreachable', code: 503, description: error.message }));
  });
  return Object.assign(live.leg, { outcome });
}

async function originate(
  { ari, app }: Switchboard,
  id: string,
  { from, to, onBehalfOf, timeoutMs }: DialRequest,
  endpoints: Endpoints,
): Promise<void> {
  const variables = {
    // Withheld: the carrier sees one of our numbers, the person called none.
    ...(from === '' && { 'CALLERID(pres)': 'prohib' }),
    // Whose number the caller had dialled.
    ...(onBehalfOf !== undefined && { 'REDIRECTING(from-num)': onBehalfOf }),
  };
  await ari.ask('POST', ['channels', id], {
    query: {
      endpoint: endpointOf(to, endpoints),
      app,
      callerId: from || onBehalfOf || 'anonymous',
      timeout: Math.ceil(timeoutMs / 1000) + spareSeconds,
    },
    body: { variables },
  });
}

/** Characters that mean something in a dial string of Asterisk have no place in an address. */
const plainAddress = /^sips?:[\w.!~*+%-]+@[\w.-]+(:\d{1,5})?$/i;

export function endpointOf(to: string, { number, address }: Endpoints): string {
  if (!/^sips?:/i.test(to)) {
    const dialled = to.replace(/[^\d+*#]/g, '');
    if (dialled === '') throw new Error('There is no number to call.');
    return number.replaceAll('{number}', dialled).replaceAll('{digits}', dialled.replace('+', ''));
  }
  if (address === '') throw new Error('SIP addresses are not called by this Asterisk.');
  if (!plainAddress.test(to)) throw new Error('This SIP address cannot be called.');
  return address.replaceAll('{address}', () => to);
}
