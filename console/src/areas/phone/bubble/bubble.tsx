import { Text, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { memo } from 'react';
import { sayClock } from '../moments.ts';
import { summaryOf } from '../threads.ts';
import type { Message } from '../types.ts';
import classes from './bubble.module.css';
import { BubbleMenu } from './bubble-menu.tsx';
import { ContactCard } from './contact-card.tsx';
import { Media, type MediaFile, type MediaKind } from './media.tsx';
import { PlaceCard } from './place-card.tsx';
import { RichText } from './rich-text.tsx';
import { Buttons, Cards, Header } from './template-parts.tsx';
import { type Progress, Ticks } from './ticks.tsx';

interface BubbleProps {
  message: Message;
  /** The first of several in a row has the tail. */
  tail: boolean;
  /** Who wrote what is not the person's own. */
  from: string;
  timeZone: string;
  /** Between the two people. */
  direct?: boolean;
  /** Of what this page has not sent yet. */
  progress?: Progress | undefined;
}

/** One message. */
export const Bubble = memo(function Bubble({ message, tail, from, timeZone, direct = false, progress }: BubbleProps) {
  const mine = message.direction === 'INBOUND';
  const isSticker = message.type === 'STICKER' && !message.context;
  return (
    <div className={classes['row']} data-mine={mine} data-tail={tail}>
      <div className={classes['column']}>
        <div
          className={classes['bubble']}
          data-mine={mine}
          data-tail={tail && !isSticker}
          data-bare={isSticker || undefined}
          data-away={mine ? undefined : awayWords[message.status]}
        >
          <VisuallyHidden>{mine ? 'You: ' : `${from}: `}</VisuallyHidden>
          <Quote message={message} from={from} />
          <Header header={message.header} />
          <Content message={message} />
          {message.footer && <span className={classes['footer']}>{message.footer}</span>}
          <span className={classes['meta']}>
            <time dateTime={message.created}>{sayClock(message.created, timeZone)}</time>
            {mine && message.type !== 'SMS' && <Ticks progress={progress ?? progressOf(message)} />}
          </span>
          <Buttons message={message} buttons={message.buttons} />
          {!progress && <BubbleMenu message={message} direct={direct} />}
        </div>
        <Cards message={message} />
        <Reactions message={message} from={from} />
        <State message={message} />
      </div>
    </div>
  );
});

/** What is not on the phone, strictly speaking. */
const awayWords: Partial<Record<Message['status'], string>> = { SENT: 'coming', FAILED: 'failed' };

const progressOf = ({ status }: Message): Progress => status.toLowerCase() as Progress;

const mediaTypes = new Set(['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER']);

function Content({ message }: { message: Message }) {
  const { type, text, media, location, contacts } = message;
  if (location) return <PlaceCard location={location} />;
  if (contacts.length > 0)
    return contacts.map((contact) => <ContactCard key={JSON.stringify(contact)} contact={contact} />);
  return (
    <>
      {media && mediaTypes.has(type) && <Media kind={type as MediaKind} file={media as MediaFile} caption={text} />}
      {text && <RichText text={text} />}
    </>
  );
}

function Quote({ message: { context }, from }: { message: Message; from: string }) {
  if (!context) return null;
  const author = context.direction === 'INBOUND' ? 'You' : from;
  return (
    <span className={classes['quote']}>
      <VisuallyHidden>In answer to </VisuallyHidden>
      <strong>{context.direction ? author : 'An older message'}</strong>
      <span className={classes['quoted']}>
        {context.direction ? summaryOf(context) : 'It is not on this phone any more.'}
      </span>
    </span>
  );
}

function Reactions({ message: { reactions }, from }: { message: Message; from: string }) {
  if (reactions.length === 0) return null;
  const words = reactions.map(
    ({ direction, emoji }) => `${direction === 'INBOUND' ? 'You' : from} reacted with ${emoji}`,
  );
  return (
    <span className={classes['reactions']} title={words.join(', ')}>
      <span aria-hidden>{reactions.map(({ emoji }) => emoji).join('')}</span>
      <VisuallyHidden>{words.join(', ')}</VisuallyHidden>
    </span>
  );
}

/** What did not arrive is shown, too: this is a phone to test with. */
function State({ message: { direction, status, status_description } }: { message: Message }) {
  if (direction === 'INBOUND' || (status !== 'SENT' && status !== 'FAILED')) return null;
  const text = status === 'SENT' ? 'On its way to this phone' : `Not delivered. ${status_description}`;
  return (
    <Text component="span" size="xs" className={classes['state']} data-away={status === 'SENT'}>
      {status === 'FAILED' && <IconAlertCircle size={14} aria-hidden />}
      {text}
    </Text>
  );
}
