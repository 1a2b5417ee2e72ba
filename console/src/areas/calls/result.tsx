import { Badge } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconMicrophone,
  IconPhoneCheck,
  IconPhoneIncoming,
  IconPhoneOutgoing,
  IconPhoneX,
} from '@tabler/icons-react';
import type { Schema } from '../../api/index.ts';
import { Status } from '../../parts/index.ts';

type Result = Schema<'CallResult'>;

const looks: Record<Result, [color: string, icon: Icon, label: string]> = {
  ANSWERED: ['green', IconPhoneCheck, 'Answered'],
  MISSED: ['orange', IconPhoneX, 'Missed'],
  ABANDONED: ['orange', IconPhoneX, 'Abandoned'],
  BUSY: ['orange', IconPhoneX, 'Busy'],
  VOICEMAIL: ['blue', IconMicrophone, 'Voicemail'],
  REJECTED: ['red', IconPhoneX, 'Rejected'],
  FAILED: ['red', IconAlertTriangle, 'Failed'],
};

/** What each result means, for filters and help. */
export const resultOptions = (Object.keys(looks) as Result[]).map((value) => ({ value, label: looks[value][2] }));

/** How a call ended, or where it is. */
export function CallBadge({ call }: { call: { status: string; result: Result | null } }) {
  if (!call.result) return <Status word={call.status} label={statusWords[call.status] ?? call.status} />;
  const [color, Icon, label] = looks[call.result];
  return (
    <Badge variant="light" color={color} tt="none" fw={600} leftSection={<Icon size={13} aria-hidden />}>
      {label}
    </Badge>
  );
}

const statusWords: Record<string, string> = {
  QUEUED: 'Queued',
  RINGING: 'Ringing',
  IN_PROGRESS: 'In progress',
  ENDED: 'Ended',
};

/** In or out, by icon and word. */
export const DirectionIcon = ({ direction }: { direction: Schema<'CallDirection'> }) =>
  direction === 'INBOUND' ? (
    <IconPhoneIncoming size={18} role="img" aria-label="Inbound" style={{ flexShrink: 0 }} />
  ) : (
    <IconPhoneOutgoing size={18} role="img" aria-label="Outbound" style={{ flexShrink: 0 }} />
  );
