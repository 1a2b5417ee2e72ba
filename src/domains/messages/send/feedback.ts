import type { Deps } from '../../../deps.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { giveFeedback } from '../../safeguards/index.ts';
import { findAddressed } from '../queries.ts';

/** Notes that the person used what they were sent, such as a one-time password. */
export async function confirmMessage(deps: Deps, accountId: string, uuid: string) {
  const sent = await findAddressed(deps.db, accountId, uuid);
  if (!sent) throw notFound();
  if (sent.direction !== 'OUTBOUND')
    throw new ValidationError({ non_field_errors: ['Only messages that you sent can be confirmed.'] });
  const { to_digits: digits, created } = sent;
  return giveFeedback(deps, accountId, { channel: 'CHATAPP', uuid, digits, sentAt: new Date(created) });
}
