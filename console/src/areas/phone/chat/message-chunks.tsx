import { Fragment, type ReactNode } from 'react';
import { Bubble } from '../bubble/bubble.tsx';
import { dayOf, sayDay } from '../moments.ts';
import type { Message } from '../types.ts';
import classes from './message-list.module.css';

interface ChunkOptions {
  from: string;
  timeZone: string;
  direct: boolean;
}

const usualSize = 24;

/**
 * The bubbles of a thread, some two dozen in a box: the browser passes over a box that is out of sight, and has few to look at.
 * Where a box begins is told by the message itself, so that the boxes stay when messages are added at either end.
 */
export function chunksOf(messages: Message[], options: ChunkOptions): ReactNode[] {
  const chunks: { key: string; bubbles: ReactNode[] }[] = [];
  for (const [place, message] of messages.entries()) {
    if (chunks.length === 0 || isBoundary(message)) chunks.push({ key: message.uuid, bubbles: [] });
    chunks.at(-1)!.bubbles.push(bubbleOf(message, messages[place - 1], options));
  }
  return chunks.map(({ key, bubbles }) => (
    <div key={key} className={classes['chunk']}>
      {bubbles}
    </div>
  ));
}

/** The last digits of an id are chance. */
const isBoundary = ({ uuid }: Message): boolean => Number.parseInt(uuid.slice(-4), 16) % usualSize === 0;

function bubbleOf(message: Message, before: Message | undefined, { from, timeZone, direct }: ChunkOptions) {
  const isNewDay = !before || dayOf(before.created, timeZone) !== dayOf(message.created, timeZone);
  const tail = isNewDay || before.direction !== message.direction;
  return (
    <Fragment key={message.uuid}>
      {isNewDay && (
        <div className={classes['day']}>
          <span>{sayDay(message.created, timeZone)}</span>
        </div>
      )}
      <Bubble message={message} tail={tail} from={from} timeZone={timeZone} direct={direct} />
    </Fragment>
  );
}
