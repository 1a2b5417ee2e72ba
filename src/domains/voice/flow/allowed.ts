import { findCalledNumber } from '../../numbers/index.ts';
import { heedSafeguards, noteRefusal, type Sending } from '../../safeguards/index.ts';
import { type LiveCall, note } from '../calls/call.ts';

/** How often a call is followed from one number of the account to the next. */
const mostHops = 10;

export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to);

/** The numbers that a call may be forwarded to: those that the safeguards allow, and that do not lead back to the number it came to. */
export async function findAllowed(
  call: LiveCall,
  numbers: string[],
  read: (number: string) => string,
): Promise<string[]> {
  const { deps, accountId, row } = call;
  const sendings = numbers
    .filter((to) => !isSipAddress(to))
    .map((to): Sending & { to: string } => ({
      accountId,
      channel: 'VOICE',
      senderKey: row.number_digits,
      digits: read(to),
      units: 1,
      to,
    }));
  const refused = new Map<string, string>();
  for (const sending of sendings) {
    if (!(await leadsBack(call, sending.digits, read))) continue;
    noteRefusal(deps, sending, { rule: 'FORWARDING_LOOP', subject: row.number_digits }, deps.clock.now());
    refused.set(sending.to, 'It leads back to the number that was called.');
  }
  const left = sendings.filter(({ to }) => !refused.has(to));
  for (const [{ to }, error] of await heedSafeguards(deps, left)) refused.set(to, error.message);
  for (const [to, description] of refused) {
    note(call, 'call.not_answered', { to, outcome: 'refused', code: 403, description });
  }
  return numbers.filter((to) => !refused.has(to));
}

/** Whether a number of the account is forwarded, from one to the next, to the one that was called. */
async function leadsBack(call: LiveCall, digits: string, read: (number: string) => string): Promise<boolean> {
  const { deps, accountId, row } = call;
  // Only calls that came in can come in again.
  if (row.direction !== 'INBOUND') return false;
  let at = digits;
  for (let hops = 0; hops < mostHops; hops++) {
    if (at === row.number_digits) return true;
    const number = await findCalledNumber(deps.db, accountId, at);
    if (!number || number.target_number === '' || isSipAddress(number.target_number)) return false;
    at = read(number.target_number);
  }
  return true;
}
