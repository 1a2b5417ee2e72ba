import { ActionIcon } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { notifications } from '../../../api/notifications.ts';
import { usePhoneFormat } from '../../../parts/index.ts';
import { pagesOf } from '../../../parts/loading/lazily.ts';
import { BubbleActsContext, useStableActs } from '../bubble/bubble-acts.ts';
import classes from '../frame/screen.module.css';
import { ScreenHead } from '../frame/screen-head.tsx';
import { usePhoneHere } from '../phone-context.ts';
import { useSenders } from '../senders.ts';
import { findThread } from '../threads.ts';
import { type Button, type Deed, isSame, type Message } from '../types.ts';
import { Composer } from './composer.tsx';
import { ListSheet } from './list-sheet.tsx';
import { MessageList } from './message-list.tsx';

const { FlowSheet } = pagesOf(() => import('../flow-sheet.tsx'));
const { AttachSheet } = pagesOf(() => import('./attach-sheet.tsx'));

type Opened = { sheet: 'attach'; tab?: 'place' } | { sheet: 'list' | 'flow'; message: Message } | null;

const none: Message[] = [];

/** A chat with a business, or with the other person. */
export function ChatView({ number }: { number: string }) {
  const here = usePhoneHere();
  const { other, threads, content, outbox, nameOf, go, act, draftOf, setDraft } = here;
  const [opened, setOpened] = useState<Opened>(null);
  const [quoted, setQuoted] = useState<Message>();
  const format = usePhoneFormat();
  const name = nameOf(number);
  const direct = isSame(number, other.number);
  const messages = findThread(threads, 'chat', number)?.messages ?? none;

  const send = (deed: Deed, shown: Partial<Message>, about = quoted) => {
    const context = about && { message_uuid: about.uuid };
    const quote = about && { message_uuid: about.uuid, direction: about.direction, type: about.type, text: about.text };
    act(number, { ...deed, ...(context && { context }) }, { ...shown, context: quote ?? null });
    setQuoted(undefined);
    setOpened(null);
  };
  const tap = (message: Message, button: Button) => {
    const { type, id, value, title } = button;
    const taps: Record<string, () => void> = {
      url: () => here.follow(value),
      phone_number: () => here.dial(value),
      flow: () => setOpened({ sheet: 'flow', message }),
      send_location: () => setOpened({ sheet: 'attach', tab: 'place' }),
      copy_code: () => copy(value),
      otp: () => copy(value),
    };
    const reply = () => send({ button: { id: id || value || title, title } }, { text: title }, message);
    (taps[type.toLowerCase()] ?? reply)();
  };
  const acts = useStableActs({
    tap,
    follow: here.follow,
    openChat: here.openChat,
    dial: here.dial,
    openList: (message) => setOpened({ sheet: 'list', message }),
    reply: setQuoted,
    react: (message, emoji) => act(number, { reaction: { message_uuid: message.uuid, emoji } }),
  });

  return (
    <BubbleActsContext value={acts}>
      <div className={classes['screen']}>
        <ScreenHead
          title={name}
          subtitle={subtitleOf(name, format(number), direct)}
          avatar
          onBack={() => go({ app: 'chats' })}
        >
          {!direct && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              radius="xl"
              aria-label={`Call ${name}`}
              onClick={() => here.dial(number)}
            >
              <IconPhone size={20} stroke={1.75} />
            </ActionIcon>
          )}
        </ScreenHead>
        <div className={`${classes['screen']} ${classes['wallpaper']}`}>
          {messages.length === 0 && !content.list.isLoading && <FirstWord number={number} direct={direct} />}
          <MessageList
            messages={messages}
            pending={outbox.of('chat', number)}
            from={name}
            direct={direct}
            outbox={outbox}
            list={content.list}
          />
        </div>
        <Composer
          label={`Message to ${name}`}
          key={here.openings}
          draft={draftOf(number)}
          onDraft={(text) => setDraft(number, text)}
          onSend={(text) => send({ text: { body: text } }, { text })}
          onAttach={direct ? undefined : () => setOpened({ sheet: 'attach' })}
          quoted={quoted}
          quotedFrom={name}
          onUnquote={() => setQuoted(undefined)}
        />
        <Suspense>
          {opened?.sheet === 'attach' && (
            <AttachSheet tab={opened.tab} onClose={() => setOpened(null)} onSend={(deed, shown) => send(deed, shown)} />
          )}
          {opened?.sheet === 'list' && opened.message.list && (
            <ListSheet
              list={opened.message.list}
              onClose={() => setOpened(null)}
              onChoose={({ id, title }) => send({ list: { id } }, { text: title }, opened.message)}
            />
          )}
          {opened?.sheet === 'flow' && (
            <FlowSheet
              flow={opened.message.flow ?? { flow_id: null, name: '', flow_token: '', screen: '', data: {} }}
              title={opened.message.buttons.find(({ type }) => type.toLowerCase() === 'flow')?.title ?? 'Form'}
              onClose={() => setOpened(null)}
              onSend={(answers) => send({ flow: { answers } }, { text: 'Sent' }, opened.message)}
            />
          )}
        </Suspense>
      </div>
    </BubbleActsContext>
  );
}

const subtitleOf = (name: string, number: string, direct: boolean): string =>
  direct ? 'The other phone' : name === number ? 'Business' : number;

function copy(text: string): void {
  void navigator.clipboard?.writeText(text).then(() => notifications.show({ message: `Copied ${text}.` }));
}

/** What to know before the first message. */
function FirstWord({ number, direct }: { number: string; direct: boolean }) {
  const senders = useSenders();
  const isKnown = senders.isLoading || senders.rows.some(({ chatapp_number: sender }) => isSame(sender, number));
  if (direct)
    return (
      <p className={classes['note']}>
        What the two write to each other stays in this browser: no business is in between.
      </p>
    );
  if (isKnown) return null;
  return (
    <p className={classes['note']}>
      This number is not among your senders. The sandbox takes it into use as one with the first message.
    </p>
  );
}
