import { ActionIcon, Button, CloseButton, Group, Menu, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSend, IconTemplate } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAct } from '../../api/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { summaryOf } from '../../parts/messages/summary.ts';
import { sendTypes } from '../../parts/messages/types.ts';
import type { Sender } from '../../parts/messages/use-senders.ts';
import classes from './inbox.module.css';
import type { Conversation, Message, Pair } from './types.ts';
import { useOptOut } from './use-opt-out.ts';

const TemplateDialog = lateDialog(async () => (await import('./template-dialog.tsx')).TemplateDialog);

interface ReplyBoxProps {
  pair: Pair;
  conversation: Conversation | undefined;
  /** Whether it has been asked for yet. */
  isKnown: boolean;
  sender: Sender | undefined;
  answered: Message | undefined;
  forget(): void;
}

/** Where one answers; outside the 24 hours with a template only. */
export function ReplyBox({ pair, conversation, isKnown, sender, answered, forget }: ReplyBoxProps) {
  const [text, setText] = useState('');
  const [dialog, { open, close }] = useDisclosure();
  const field = useRef<HTMLTextAreaElement>(null);
  const { optOut } = useOptOut(pair.person);
  const isSandbox = sender?.carrier === 'sandbox';
  const closed = isKnown && !conversation?.is_open && !isSandbox;
  const send = useAct('post', '/v2/chatapp/messages/', {
    invalidates: ['/v2/chatapp/messages/', '/v2/chatapp/conversations/'],
    onDone: () => {
      setText('');
      forget();
      field.current?.focus();
    },
  });
  const submit = () => {
    if (text.trim() === '' || send.isPending) return;
    const context = answered && { context: { message_uuid: answered.uuid } };
    const numbers = { chatapp_number: pair.sender, to_chatapp_number: pair.person };
    send.mutate({ body: { type: 'TEXT', ...numbers, text: { body: text.trim() }, ...context } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  if (!send.may) return null;
  return (
    <div className={classes['reply']}>
      {answered && (
        <Group justify="space-between" wrap="nowrap" className={classes['answered']}>
          <Text size="xs" truncate>
            Replying to: {summaryOf(answered)}
          </Text>
          <CloseButton size="sm" aria-label="Remove quote" onClick={forget} />
        </Group>
      )}
      <Note
        closed={closed}
        sandbox={isSandbox && isKnown && !conversation?.is_open}
        never={!conversation}
        optedOut={optOut !== undefined}
      />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <MoreKinds pair={pair} disabled={closed} answer={answered?.uuid ?? ''} />
        <Textarea
          ref={field}
          aria-label="Your reply"
          placeholder={closed ? 'The 24-hour window is closed' : 'Write a reply'}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={4096}
          disabled={closed}
          style={{ flex: 1, minWidth: 0 }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {closed ? (
          <Button leftSection={<IconTemplate size={16} />} onClick={open}>
            Template
          </Button>
        ) : (
          <>
            <ActionIcon variant="default" size={36} aria-label="Send a template" title="Send a template" onClick={open}>
              <IconTemplate size={18} />
            </ActionIcon>
            <ActionIcon
              size={36}
              aria-label="Send"
              loading={send.isPending}
              disabled={text.trim() === ''}
              onClick={submit}
            >
              <IconSend size={18} />
            </ActionIcon>
          </>
        )}
      </Group>
      <TemplateDialog pair={pair} opened={dialog} close={close} />
    </div>
  );
}

interface NoteProps {
  closed: boolean;
  sandbox: boolean;
  never: boolean;
  optedOut: boolean;
}

function Note({ closed, sandbox, never, optedOut }: NoteProps) {
  const why = never ? 'This person has not messaged this number.' : 'Their last message is more than 24 hours old.';
  const lines = [
    closed && `${why} Only templates can be sent until they message again.`,
    sandbox && `${why} A live number could only send a template; the sandbox allows text.`,
    optedOut && 'They opted out: only replies within 24 hours and one-time passwords are sent.',
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mb={6} role="status">
      {lines.join(' ')}
    </Text>
  );
}

function MoreKinds({ pair, disabled, answer }: { pair: Pair; disabled: boolean; answer: string }) {
  const query = new URLSearchParams({ from: pair.sender, to: pair.person, ...(answer && { answer }) }).toString();
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} disabled={disabled} aria-label="More message types">
          <IconPlus size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sendTypes
          .filter(({ value }) => value !== 'TEXT' && value !== 'TEMPLATE' && value !== 'REACTION')
          .map(({ value, label }) => (
            <Menu.Item key={value} component={Link} href={`/messages/new?type=${value}&${query}`}>
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
