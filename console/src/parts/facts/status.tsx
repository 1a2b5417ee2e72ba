import { Badge } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconBell,
  IconBellX,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconEye,
  IconFlagOff,
  IconFolderOpen,
  IconLoader,
  IconMessageReply,
  IconMicrophone,
  IconPencil,
  IconPlayerPause,
  IconSend,
  IconSparkles,
  IconTrophy,
} from '@tabler/icons-react';
import { sayWord } from '../words.ts';

type Look = readonly [color: string, icon: Icon];
const waiting: Look = ['gray', IconClock];
const going: Look = ['blue', IconLoader];
const good: Look = ['green', IconCheck];
const bad: Look = ['red', IconCircleX];
const doubtful: Look = ['orange', IconAlertTriangle];
const over: Look = ['gray', IconBan];

const looks: Record<string, Look> = {
  QUEUED: waiting,
  PENDING: waiting,
  SCHEDULED: waiting,
  WAITING: waiting,
  HELD: ['yellow', IconPlayerPause],
  PAUSED: ['yellow', IconPlayerPause],
  SUSPENDED: ['yellow', IconPlayerPause],
  DELETING: going,
  DRAFT: ['gray', IconPencil],
  SENT: ['blue', IconSend],
  DELIVERED: ['brand', IconChecks],
  READ: ['green', IconEye],
  RECEIVED: good,
  FAILED: bad,
  ERROR: bad,
  REJECTED: bad,
  BLOCKED: bad,
  MISSED: doubtful,
  ABANDONED: doubtful,
  BUSY: doubtful,
  NO_ANSWER: doubtful,
  UNKNOWN: doubtful,
  SKIPPED: ['yellow', IconBan],
  OPTED_OUT: ['grape', IconBan],
  CLICKED: ['brand', IconEye],
  EXPIRED: over,
  CANCELLED: over,
  CANCELED: over,
  DISABLED: over,
  DEPRECATED: over,
  REPLIED: ['blue', IconMessageReply],
  NOTIFIED: ['brand', IconBell],
  NOTIFY_FAILED: ['red', IconBellX],
  CLOSED: over,
  NEW: ['blue', IconSparkles],
  OPEN: ['brand', IconFolderOpen],
  WON: ['green', IconTrophy],
  LOST: ['gray', IconFlagOff],
  VOICEMAIL: ['brand', IconMicrophone],
  RUNNING: going,
  STARTED: going,
  IN_PROGRESS: going,
  PROCESSING: going,
  RINGING: going,
  SUCCEEDED: good,
  SUCCESS: good,
  COMPLETED: good,
  DONE: good,
  FINISHED: good,
  ANSWERED: good,
  APPROVED: good,
  PUBLISHED: good,
  ACTIVE: good,
  ENABLED: good,
  CONNECTED: good,
  AVAILABLE: good,
};

/** The colour that a word has everywhere, such as `green`. */
export const colorOf = (word: string): string => looks[word.toUpperCase()]?.[0] ?? 'gray';

/** A word of the API as a badge, told by word, icon and colour: `<Status word={message.status} />`. Unknown words are grey. */
export function Status({ word, label }: { word: string | null | undefined; label?: string }) {
  if (!word) return null;
  const [color, Icon] = looks[word.toUpperCase()] ?? ['gray', IconCircleDashed];
  return (
    <Badge variant="light" color={color} tt="none" fw={600} leftSection={<Icon size={13} aria-hidden />}>
      {label ?? sayWord(word)}
    </Badge>
  );
}
