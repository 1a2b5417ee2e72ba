import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconChecks,
  IconClock,
  IconEye,
  IconInfoCircle,
} from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'wouter';
import type { Fields } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { Bubble, Content, contentView, type Definition } from '../../parts/bubble/index.ts';
import { May, sayWord } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';
import { summaryOf } from '../../parts/messages/summary.ts';
import classes from './inbox.module.css';
import type { Message } from './types.ts';

interface TalkLineProps {
  message: Message;
  /** Written above the first of a day. */
  day: string;
  name: string;
  /** What it answers; `unknown` if that is not among what was read. */
  quoted: Message | 'unknown' | undefined;
  reaction: string;
  definition: Definition | undefined;
  onAnswer(message: Message): void;
}

/** One message in the thread: bubble, time, how far it came, what can be done with it. */
export const TalkLine = memo(function TalkLine(props: TalkLineProps) {
  const { message, day, name, quoted, reaction, definition, onAnswer } = props;
  const { timeZone } = useHere();
  const out = message.direction === 'OUTBOUND';
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  return (
    <li>
      {day && <div className={classes['day']}>{day}</div>}
      <div className={classes['bubbleRow']} data-side={out ? 'out' : 'in'}>
        <VisuallyHidden>{out ? 'You:' : `${name || 'They'}:`}</VisuallyHidden>
        <Bubble
          side={out ? 'out' : 'in'}
          quote={
            quoted &&
            (quoted === 'unknown'
              ? 'An earlier message'
              : `${quoted.direction === 'OUTBOUND' ? 'You' : name || 'They'}: ${summaryOf(quoted)}`)
          }
          meta={
            <>
              {reaction && <span title="Reaction">{reaction}</span>}
              <time dateTime={message.created}>{clock.format(new Date(message.created))}</time>
              {out && <Progress status={message.status} />}
            </>
          }
        >
          <Content view={contentView(message.type, message.message_data as Fields, definition)} />
        </Bubble>
        <span className={classes['acts']}>
          <May>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Reply to this message"
              onClick={() => onAnswer(message)}
            >
              <IconArrowBackUp size={16} />
            </ActionIcon>
          </May>
          <ActionIcon
            component={Link}
            href={`/messages/${message.uuid}`}
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Message details"
          >
            <IconInfoCircle size={16} />
          </ActionIcon>
        </span>
      </div>
      {message.status === 'FAILED' && (
        <Text size="xs" className={classes['failed']}>
          <IconAlertCircle size={14} aria-hidden /> Not delivered. {message.status_description}
        </Text>
      )}
    </li>
  );
});

const marks = {
  QUEUED: IconClock,
  SENT: IconCheck,
  DELIVERED: IconChecks,
  READ: IconEye,
  FAILED: IconAlertCircle,
  CANCELLED: IconBan,
  RECEIVED: IconCheck,
};

function Progress({ status }: { status: Message['status'] }) {
  const Mark = marks[status];
  return (
    <span className={classes['progress']}>
      <Mark size={14} aria-hidden />
      {sayWord(status)}
    </span>
  );
}
