import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { notifications } from '../../api/notifications.ts';

/** Copies, and says so. The clipboard is there on https and localhost only; elsewhere the text is shown, to be copied by hand. */
export async function copyText(text: string): Promise<boolean> {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  notifications.show(copied ? { message: 'Copied.' } : { title: 'Copy it by hand', message: text, autoClose: false });
  return copied ?? false;
}

/** A small button that copies: `<Copy value={intro.chat_link} what="the link" />`. */
export function Copy({ value, what }: { value: string; what?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(value));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Tooltip label={`Copy${what ? ` ${what}` : ''}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={() => void copy()}
        aria-label={`Copy ${what ?? value}`}
      >
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}
