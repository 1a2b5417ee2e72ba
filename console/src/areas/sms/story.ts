import {
  type Icon,
  IconArrowForwardUp,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleX,
  IconClock,
  IconInbox,
  IconReceipt,
  IconRefresh,
  IconSend,
} from '@tabler/icons-react';
import type { Row } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

const told: Record<string, [text: string, icon: Icon, color?: string]> = {
  'sms.queued': ['Accepted and queued.', IconClock],
  'sms.held': ['On hold.', IconClock, 'yellow'],
  'sms.postponed': ['Deferred by the carrier; will retry.', IconClock, 'orange'],
  'sms.sent': ['Sent to the carrier.', IconSend, 'blue'],
  'sms.delivered': ['Delivered.', IconChecks, 'green'],
  'sms.confirmed': ['Used by the person.', IconCheck, 'green'],
  'sms.failed': ['Failed.', IconCircleX, 'red'],
  'sms.cancelled': ['Cancelled.', IconBan],
  'sms.received': ['Received.', IconInbox, 'green'],
  'sms.resent': ['Sent again, as a new SMS.', IconRefresh],
  'sms.routed': ['Forwarded by routing.', IconArrowForwardUp],
  'sms.not_routed': ['Routing could not forward it.', IconCircleX, 'orange'],
  'sms.unknown': ['No response from the carrier; waiting for the receipt.', IconClock, 'orange'],
};

/** The events of an SMS as sentences. */
export function smsStep(event: Row<'/v2/events/'>): Step {
  const plain = stepOf(event);
  const { kind } = event;
  const data = event.data as Record<string, unknown>;
  if (kind === 'sms.receipt') {
    const late = data['applied'] === false ? ' Late or duplicate; ignored.' : '';
    return {
      ...plain,
      text: `Receipt for part ${String(data['part'] ?? '?')}: ${String(data['receipt'] ?? '').toLowerCase()}.${late}`,
      icon: IconReceipt,
    };
  }
  const known = told[kind];
  if (!known) return { ...plain, icon: IconCheck };
  const [text, icon, color] = known;
  const why = data['status_description'] ?? data['description'];
  const late = data['applied'] === false ? 'Late or duplicate; ignored.' : '';
  const cause = [why, late].filter(Boolean).join(' ');
  return { ...plain, text, icon, ...(color && { color }), ...(cause && { cause }) };
}
