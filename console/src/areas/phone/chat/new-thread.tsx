import { Button, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useList } from '../../../api/index.ts';
import { usePhoneFormat } from '../../../parts/index.ts';
import { Picture } from '../bubble/picture.tsx';
import classes from '../frame/screen.module.css';
import { ScreenHead } from '../frame/screen-head.tsx';
import { isNumber } from '../people.ts';
import { usePhoneHere } from '../phone-context.ts';
import { useSenders } from '../senders.ts';

interface Known {
  number: string;
  name: string;
}

/** To whom a new chat goes: by the link of an intro, to a sender of the business, to the other person, or to any number. */
export function NewChat() {
  const { other, go, openChat, follow } = usePhoneHere();
  const senders = useSenders();
  const intros = useList('/v2/chatapp/chat-intros/', {}, { pageSize: 20 });
  return (
    <NewThread
      title="New chat"
      onBack={() => go({ app: 'chats' })}
      onOpen={(number) => openChat(number)}
      onLink={follow}
    >
      <KnownNumbers
        title="People and senders"
        known={[other, ...senders.rows.map(({ chatapp_number: number, name }) => ({ number, name }))]}
        onOpen={(number) => openChat(number)}
      />
      {intros.rows.length > 0 && <Heading>Links of intros</Heading>}
      <ul className={classes['list']}>
        {intros.rows.map(({ uuid, reference_id: reference, chat_link: link, expected_message_template: text }) => (
          <li key={uuid}>
            <button type="button" className={classes['thread']} onClick={() => follow(link)}>
              <IconLink size={24} stroke={1.5} aria-hidden />
              <span className={classes['words']}>
                <Text component="span" fw={600} truncate>
                  {reference || link.replace(/^.*\//, '')}
                </Text>
                <Text component="span" size="sm" c="dimmed" truncate>
                  {text}
                </Text>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </NewThread>
  );
}

/** To which number an SMS goes. */
export function NewSms() {
  const { go } = usePhoneHere();
  const numbers = useList('/v2/number/', {}, { pageSize: 50 });
  const open = (number: string) => go({ app: 'sms-thread', number });
  return (
    <NewThread title="New SMS" onBack={() => go({ app: 'sms' })} onOpen={open}>
      <KnownNumbers
        title="Your numbers"
        known={numbers.rows.map(({ number }) => ({ number, name: '' }))}
        onOpen={open}
      />
    </NewThread>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Text component="h3" size="sm" fw={600} c="dimmed" px="md" pt="sm">
    {children}
  </Text>
);

function KnownNumbers({ title, known, onOpen }: { title: string; known: Known[]; onOpen(number: string): void }) {
  const format = usePhoneFormat();
  if (known.length === 0) return null;
  return (
    <>
      <Heading>{title}</Heading>
      <ul className={classes['list']}>
        {known.map(({ number, name }) => (
          <li key={number}>
            <button type="button" className={classes['thread']} onClick={() => onOpen(number)}>
              <Picture name={name} size={40} />
              <span className={classes['words']}>
                <Text component="span" fw={600} truncate>
                  {name || format(number)}
                </Text>
                {name && (
                  <Text component="span" size="sm" c="dimmed">
                    {format(number)}
                  </Text>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface NewThreadProps {
  title: string;
  onBack(): void;
  onOpen(number: string): void;
  /** Left out: only numbers are taken. */
  onLink?(link: string): void;
  children: ReactNode;
}

function NewThread({ title, onBack, onOpen, onLink, children }: NewThreadProps) {
  const [typed, setTyped] = useState('');
  const number = typed.replaceAll(/[\s().-]/g, '');
  const isLink = onLink !== undefined && /^https?:\/\/\S+$/.test(typed.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLink) onLink(typed.trim());
    else if (isNumber(number)) onOpen(number);
  };
  return (
    <div className={classes['screen']}>
      <ScreenHead title={title} onBack={onBack} />
      <div className={classes['scroll']}>
        <form className={classes['pad']} onSubmit={submit}>
          <TextInput
            label={onLink ? 'Number or link' : 'Number'}
            placeholder="+44 20 7946 0000"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            rightSectionWidth={70}
            rightSection={
              <Button type="submit" size="compact-sm" disabled={!isLink && !isNumber(number)}>
                Open
              </Button>
            }
          />
        </form>
        {children}
      </div>
    </div>
  );
}
