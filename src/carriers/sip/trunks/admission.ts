// Who may call us. A trunk's addresses may; anybody else must know the user name and the password of one. By a trunk that wants a
// certificate, only who shows it may, from wherever. Those who may not are
// answered from the request alone, and only so often: scanners try thousands of numbers an hour, and passwords by the thousand.

import { makeNetworkIndex, plainAddress } from '../../../platform/networks.ts';
import { leadsTo } from '../../../platform/tls/shown-certificate.ts';
import type { Admission } from '../signalling/agent.ts';
import { type Challenger, makeChallenger } from '../signalling/authentication/digest.ts';
import { makeGuesses } from '../signalling/authentication/guesses.ts';
import type { SipRequest } from '../signalling/message/message.ts';
import type { Peer } from '../signalling/transport/wire.ts';
import type { Trunk } from './trunk.ts';

/** The trunks that a call may have come by: several when accounts share a carrier. */
export type CallerTrunks = Trunk[];

/** What became of trunks. Of one that changed, the old goes and the new comes. */
export interface TrunkChange {
  gone: readonly Trunk[];
  come: readonly Trunk[];
}

export interface TrunkAdmission {
  /** Costs as much as there is to change, however many trunks there are. */
  change(change: TrunkChange): void;
  /** Lets nobody in any more. */
  close(): void;
  admit(request: SipRequest, from: Peer): Admission<CallerTrunks>;
}

const isShared = (trunks: CallerTrunks): boolean => trunks.some(({ accountId }) => accountId !== trunks[0]!.accountId);

export function makeAdmission(
  nowMs: () => number,
  onGuessing: (address: string, user: string) => void = () => {},
): TrunkAdmission {
  const challenger: Challenger = makeChallenger('parley', nowMs);
  const guesses = makeGuesses(nowMs, onGuessing);
  const byAddress = makeNetworkIndex<Trunk>();
  const byUser = new Map<string, Set<Trunk>>();
  const byCertificate = new Map<string, Set<Trunk>>();
  let isClosed = false;

  const findByCertificate = ({ certificate }: Peer): Trunk[] => {
    const shown = byCertificate.size > 0 ? certificate?.() : undefined;
    const named = new Set(shown?.names.flatMap((name) => [...(byCertificate.get(name) ?? [])]));
    return [...named].filter(({ callerAuthorities }) => leadsTo(shown!, callerAuthorities, Date.now()));
  };

  return {
    change({ gone, come }) {
      for (const trunk of gone) {
        for (const network of networksOf(trunk)) byAddress.remove(network, trunk);
        drop(byUser, userOf(trunk), trunk);
        drop(byCertificate, trunk.callerName, trunk);
      }
      for (const trunk of come) {
        for (const network of networksOf(trunk)) byAddress.add(network, trunk);
        put(byUser, userOf(trunk), trunk);
        put(byCertificate, trunk.callerName, trunk);
      }
    },
    close() {
      isClosed = true;
    },
    admit(request, from) {
      if (isClosed) return { kind: 'refused', status: 403 };
      const certified = findByCertificate(from);
      if (certified.length > 0) return { kind: 'admitted', caller: certified };
      const trunks = [...byAddress.find(from.address)];
      if (trunks.length > 0 && !isShared(trunks)) return { kind: 'admitted', caller: trunks };
      if (trunks.length === 0 && byUser.size === 0) return { kind: 'refused', status: 403 };
      const proof = challenger.check(
        request,
        from.address,
        (username) => [...(byUser.get(username) ?? [])],
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

/** From where alone calls are a trunk's; none for one that wants a certificate, from wherever. */
const networksOf = ({ callerName, addresses, allowed }: Trunk): Set<string> =>
  new Set(callerName === '' ? [...addresses.map(plainAddress), ...allowed] : []);

/** The name by which callers show that they know its password; '': they cannot. */
const userOf = ({ callerName, username, password }: Trunk): string =>
  callerName === '' && password !== '' ? username : '';

/** '' is no name. */
function put(trunks: Map<string, Set<Trunk>>, name: string, trunk: Trunk): void {
  if (name === '') return;
  const named = trunks.get(name);
  if (named) named.add(trunk);
  else trunks.set(name, new Set([trunk]));
}

function drop(trunks: Map<string, Set<Trunk>>, name: string, trunk: Trunk): void {
  const named = trunks.get(name);
  named?.delete(trunk);
  if (named?.size === 0) trunks.delete(name);
}
