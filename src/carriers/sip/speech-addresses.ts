import { isPublicAddress } from '../../platform/outbound/guard.ts';
import type { Remote } from './media/index.ts';
import type { Agreed } from './signalling/sdp/negotiate.ts';

/**
 * Where a call's speech may go, and where it may come from.
 *
 * An SDP names an address; it is spoken to if it is the one that the signalling came from, or one that we may reach. Any other
 * (an inside one, named from outside) is neither spoken nor listened to: that is what phones behind a NAT name, whose speech
 * comes from where their signalling comes from, and what somebody would name who wants us to knock inside our own network. Then
 * we wait until speech comes from the address of the signalling (RFC 7362), and answer there.
 *
 * An inside address that we may reach may be another side of the same NAT: there speech may come from the signalling's, too. One
 * that everybody can reach is taken at its word.
 */
export function speechAddresses(
  { isHeld, signalledFrom, ...agreed }: Agreed,
  mayReach: (address: string) => boolean,
): Remote & { isHeld: boolean } {
  const { address } = agreed;
  if (isNowhere(address)) return { ...agreed, isHeld };
  if (address !== signalledFrom && !mayReach(address)) {
    return { ...agreed, isHeld, sources: [signalledFrom], isHeardFirst: true };
  }
  const sources = isPublicAddress(address) ? [address] : [...new Set([address, signalledFrom])];
  return { ...agreed, isHeld, sources };
}

/** The hold of RFC 2543; nothing is sent there. */
const isNowhere = (address: string): boolean => address === '0.0.0.0' || address === '::';
