import { phoneDigits } from '../../../platform/phone.ts';
import type { AddressKind } from '../links/settings.ts';

export interface Address extends AddressKind {
  text: string;
}

/** National short codes have up to six digits; no international number has so few. */
const longestShortCode = 6;

/** How a sender or a recipient is written for a centre: a number without its plus, a short code, or a name. */
export function addressOf(party: string, agreed: Partial<AddressKind> = {}): Address {
  if (/[a-z]/i.test(party)) return { ton: 5, npi: 0, text: party };
  const digits = phoneDigits(party);
  const kind = digits.length <= longestShortCode ? { ton: 3, npi: 0 } : { ton: 1, npi: 1 };
  return { ...kind, ...agreed, text: digits };
}

/** How the API writes what a centre wrote: international numbers with their plus, all else as it is. */
export const partyOf = ({ ton, text }: { ton: number; text: string }): string =>
  ton === 1 && /^\d+$/.test(text) ? `+${text}` : text;
