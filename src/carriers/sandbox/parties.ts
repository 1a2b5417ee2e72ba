import type { Principal } from '../../platform/http/route.ts';
import { withCountry } from '../../platform/phone.ts';

/** Between whom something goes that is played here. A carrier names numbers with their country, however they were written. */
export const partiesOf = ({ from, to }: { from: string; to: string }, { country }: Principal) => ({
  from: withCountry(from, country),
  to: withCountry(to, country),
});
