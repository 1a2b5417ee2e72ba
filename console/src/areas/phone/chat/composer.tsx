import { ActionIcon, Textarea } from '@mantine/core';
import { IconPaperclip, IconSend2, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { summaryOf } from '../threads.ts';
import type { Message } from '../types.ts';
import classes from './composer.module.css';

interface ComposerProps {
  /** What stands in it at first. */
  draft: string;
  /** Told with every change, to be remembered. */
  onDraft(text: string): void;
  onSend(text: string): void;
  /** Left out: nothing can be attached. */
  onAttach?: (() => void) | undefined;
  quoted?: Message | undefined;
  quotedFrom?: string;
  onUnquote?(): void;
  label: string;
  most?: number;
}

/** Where one writes. Enter sends, Shift and Enter begin a new line. */
export function Composer({
  draft,
  onDraft,
  onSend,
  onAttach,
  quoted,
  quotedFrom,
  onUnquote,
  label,
  most = 4096,
}: ComposerProps) {
  // Kept here, so that nothing else is drawn anew while one writes.
  const [text, setText] = useState(draft);
  const write = (now: string) => {
    setText(now);
    onDraft(now);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (quoted) field.current?.focus();
  }, [quoted]);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    onSend(text.trim());
    write('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={classes['composer']} onSubmit={send}>
      {quoted && (
        <div className={classes['quoted']}>
          <span className={classes['words']}>
            <strong>{quoted.direction === 'INBOUND' ? 'You' : quotedFrom}</strong>
            <span>{summaryOf(quoted)}</span>
          </span>
          <ActionIcon variant="subtle" color="gray" aria-label="Do not quote it" onClick={onUnquote}>
            <IconX size={16} />
          </ActionIcon>
        </div>
      )}
      <div className={classes['line']}>
        {onAttach && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            radius="xl"
            aria-label="Attach"
            aria-haspopup="dialog"
            onClick={onAttach}
          >
            <IconPaperclip size={22} stroke={1.75} />
          </ActionIcon>
        )}
        <Textarea
          ref={field}
          className={classes['field']}
          classNames={{ input: classes['input']! }}
          aria-label={label}
          placeholder="Message"
          autosize
          minRows={1}
          maxRows={5}
          maxLength={most}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ActionIcon type="submit" size={40} radius="xl" aria-label="Send" disabled={text.trim() === ''}>
          <IconSend2 size={20} stroke={1.75} />
        </ActionIcon>
      </div>
    </form>
  );
}
