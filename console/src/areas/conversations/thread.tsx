import { useState } from 'react';
import { useList } from '../../api/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import classes from './inbox.module.css';
import { PersonPanel } from './person-panel.tsx';
import { ReplyBox } from './reply-box.tsx';
import { Talk } from './talk.tsx';
import { ThreadHead } from './thread-head.tsx';
import type { Message, Pair } from './types.ts';
import { usePerson } from './use-person.ts';

/** What was said with one person, a box to answer in, and who they are. */
export function Thread({ pair, isTitled }: { pair: Pair; isTitled: boolean }) {
  const { sender, person } = pair;
  const { conversation, isLoading, name } = usePerson(pair);
  const messages = useList('/v2/chatapp/messages/', { chatapp_number: sender, with: person });
  const { find } = useSenders();
  const [answered, setAnswered] = useState<Message>();
  const [panel, setPanel] = useState(false);
  return (
    <>
      <section className={classes['thread']} aria-label={`Conversation with ${name || person}`}>
        <ThreadHead
          pair={pair}
          name={name}
          isTitled={isTitled}
          conversation={conversation}
          onPanel={() => setPanel(!panel)}
          panel={panel}
        />
        <Talk messages={messages} name={name} pair={pair} onAnswer={setAnswered} />
        <ReplyBox
          pair={pair}
          conversation={conversation}
          isKnown={!isLoading}
          sender={find(sender)}
          answered={answered}
          forget={() => setAnswered(undefined)}
        />
      </section>
      <PersonPanel pair={pair} shown={panel} />
    </>
  );
}
