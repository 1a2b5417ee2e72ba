import { usePhoneFormat } from '../../parts/index.ts';
import { BubbleActsContext, useStableActs } from './bubble/bubble-acts.ts';
import { Composer } from './chat/composer.tsx';
import { MessageList } from './chat/message-list.tsx';
import classes from './frame/screen.module.css';
import { ScreenHead } from './frame/screen-head.tsx';
import { usePhoneHere } from './phone-context.ts';
import { findThread } from './threads.ts';
import type { Message } from './types.ts';

const none: Message[] = [];
const nothing = () => {};

/** SMS with a number: plain words. */
export function SmsThread({ number }: { number: string }) {
  const { threads, content, outbox, nameOf, go, writeSms, follow, openChat, dial, draftOf, setDraft } = usePhoneHere();
  const acts = useStableActs({
    follow,
    openChat,
    dial,
    tap: nothing,
    openList: nothing,
    reply: nothing,
    react: nothing,
  });
  const format = usePhoneFormat();
  const messages = findThread(threads, 'sms', number)?.messages ?? none;
  const name = nameOf(number);
  const isName = /[a-z]/i.test(number);
  const draft = `sms ${number}`;
  return (
    <BubbleActsContext value={acts}>
      <div className={classes['screen']}>
        <ScreenHead
          title={name}
          subtitle={name === format(number) || isName ? 'SMS' : format(number)}
          avatar
          onBack={() => go({ app: 'sms' })}
        />
        <div className={`${classes['screen']} ${classes['plain']}`}>
          <MessageList
            messages={messages}
            pending={outbox.of('sms', number)}
            from={name}
            outbox={outbox}
            list={content.list}
          />
        </div>
        {isName ? (
          <p className={classes['note']}>This sender has a name and no number: it cannot be answered.</p>
        ) : (
          <Composer
            label={`SMS to ${name}`}
            most={1530}
            draft={draftOf(draft)}
            onDraft={(text) => setDraft(draft, text)}
            onSend={(text) => writeSms(number, text)}
          />
        )}
      </div>
    </BubbleActsContext>
  );
}
