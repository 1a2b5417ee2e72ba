import type { Schema } from '../../api/index.ts';
import { Status } from '../index.ts';

type Delivery = Pick<Schema<'WebhookDelivery'>, 'status' | 'attempt_count' | 'last_status_code'>;

/** What has become of a delivery. One that failed and is tried again is told from one that waits for its turn. */
export const DeliveryStatus = ({ delivery: { status, attempt_count } }: { delivery: Delivery }) =>
  status === 'PENDING' && attempt_count > 0 ? <Status word="UNKNOWN" label="Retrying" /> : <Status word={status} />;

/** The last answer in a word. */
export function sayAnswer({ last_status_code: code, attempt_count }: Delivery): string {
  if (code !== null) return String(code);
  return attempt_count > 0 ? 'None' : '–';
}
