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
  IconSend,
} from '@tabler/icons-react';
import type { Row } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

const told: Record<string, [text: string, icon: Icon, color?: string]> = {
  'sms.queued': ['It was accepted and waits to leave.', IconClock],
  'sms.held': ['It is held.', IconClock, 'yellow'],
  'sms.postponed': ['The carrier put it off; it is tried again.', IconClock, 'orange'],
  'sms.sent': ['The carrier took all parts.', IconSend, 'blue'],
  'sms.delivered': ['It was delivered.', IconChecks, 'green'],
  'sms.failed': ['It failed.', IconCircleX, 'red'],
  'sms.cancelled': ['It was taken back.', IconBan],
  'sms.received': ['It came in.', IconInbox, 'green'],
  'sms.routed': ['It was sent on by routing.', IconArrowForwardUp],
  'sms.not_routed': ['Routing could not send it on.', IconCircleX, 'orange'],
  'sms.unknown': ['The carrier’s answer never came; its receipt is waited for.', IconClock, 'orange'],
};

/** The events of an SMS as sentences. */
export function smsStep(event: Row<'/v2/events/'>): Step {
  const plain = stepOf(event);
  const { kind } = event;
  const data = event.data as Record<string, unknown>;
  if (kind === 'sms.receipt') {
    const late = data['applied'] === false ? ' It came late or twice and changed nothing.' : '';
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
  const late = data['applied'] === false ? 'It came late or twice and changed nothing.' : '';
  const cause = [why, late].filter(Boolean).join(' ');
  return { ...plain, text, icon, ...(color && { color }), ...(cause && { cause }) };
}
