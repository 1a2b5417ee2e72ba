// Who may call us. A trunk's addresses may; anybody else must know the user name and the password of one. By a trunk that wants a
// certificate, only who shows it may, from wherever. Those who may not are
// answered from the request alone, and only so often: scanners try thousands of numbers an hour, and passwords by the thousand.

import { leadsTo } from '../../../platform/tls/shown-certificate.ts';
import type { Admission } from '../signalling/agent.ts';
import { type Challenger, makeChallenger } from '../signalling/authentication/digest.ts';
import { makeGuesses } from '../signalling/authentication/guesses.ts';
import type { SipRequest } from '../signalling/message/message.ts';
import type { Peer } from '../signalling/transport/wire.ts';
import type { Trunk } from './trunk.ts';

/** The trunks that a call may have come by: several when accounts share a carrier. */
export type CallerTrunks = Trunk[];

export interface TrunkAdmission {
  setTrunks(trunks: readonly Trunk[]): void;
  admit(request: SipRequest, from: Peer): Admission<CallerTrunks>;
}

const isShared = ([first, ...others]: CallerTrunks): boolean =>
  others.some(({ accountId }) => accountId !== first!.accountId);

export function makeAdmission(
  nowMs: () => number,
  onGuessing: (address: string, user: string) => void = () => {},
): TrunkAdmission {
  const challenger: Challenger = makeChallenger('parley', nowMs);
  const guesses = makeGuesses(nowMs, onGuessing);
  let byAddress = new Map<string, Trunk[]>();
  let withLists: Trunk[] = [];
  let byUser = new Map<string, Trunk[]>();
  let byCertificate = new Map<string, Trunk[]>();

  const findByAddress = (address: string): Trunk[] => {
    const listed = withLists.filter(({ allowed }) => allowed?.has(address));
    return [...new Set([...(byAddress.get(address) ?? []), ...listed])];
  };

  const findByCertificate = ({ certificate }: Peer): Trunk[] => {
    const shown = byCertificate.size > 0 ? certificate?.() : undefined;
    const named = new Set(shown?.names.flatMap((name) => byCertificate.get(name) ?? []));
    return [...named].filter(({ callerAuthorities }) => leadsTo(shown!, callerAuthorities, Date.now()));
  };

  return {
    setTrunks(all) {
      byCertificate = Map.groupBy(
        all.filter(({ callerName }) => callerName !== ''),
        ({ callerName }) => callerName,
      );
      const trunks = all.filter(({ callerName }) => callerName === '');
      byAddress = new Map();
      for (const trunk of trunks) {
        for (const address of trunk.addresses) byAddress.set(address, [...(byAddress.get(address) ?? []), trunk]);
      }
      withLists = trunks.filter(({ allowed }) => allowed !== null);
      byUser = Map.groupBy(
        trunks.filter(({ username, password }) => username !== '' && password !== ''),
        ({ username }) => username,
      );
    },
    admit(request, from) {
      const certified = findByCertificate(from);
      if (certified.length > 0) return { kind: 'admitted', caller: certified };
      const trunks = findByAddress(from.address);
      if (trunks.length > 0 && !isShared(trunks)) return { kind: 'admitted', caller: trunks };
      if (trunks.length === 0 && byUser.size === 0) return { kind: 'refused', status: 403 };
      const proof = challenger.check(
        request,
        from.address,
        (username) => byUser.get(username) ?? [],
        (username) => guesses.begin(from.address, username),
      );
      if (typeof proof === 'object') {
        guesses.forgive(from.address, proof.username);
        return { kind: 'admitted', caller: [proof.user] };
      }
      // Without credentials, the called number tells which of the trunks the call is for.
      if (trunks.length > 0) return { kind: 'admitted', caller: trunks };
      // Too many attempts are being checked; a peer that gets no answer retransmits.
      if (proof === 'later') return { kind: 'ignored' };
      if (proof === 'wrong' || proof === 'refused') return { kind: 'refused', status: 403 };
      const headers = { 'www-authenticate': challenger.challenge(from.address, proof === 'stale') };
      return { kind: 'refused', status: 401, headers };
    },
  };
}
