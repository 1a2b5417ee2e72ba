import { ActionIcon, Group, Menu } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { summaryOf } from '../threads.ts';
import type { Message } from '../types.ts';
import classes from './bubble.module.css';
import { useBubbleActs } from './bubble-acts.ts';

const emojis = [
  ['👍', 'thumbs up'],
  ['❤️', 'heart'],
  ['😂', 'laughing'],
  ['😮', 'surprised'],
  ['🙏', 'thank you'],
] as const;

/** What can be done with a message: react, answer, copy, look it up in the console. */
export function BubbleMenu({ message, direct }: { message: Message; direct: boolean }) {
  const { react, reply } = useBubbleActs();
  const given = message.reactions.find(({ direction }) => direction === 'INBOUND')?.emoji;
  const isSms = message.type === 'SMS';
  return (
    <Menu position="bottom-end" shadow="md" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          className={classes['more']}
          variant="default"
          radius="xl"
          size={24}
          aria-label={`More about: ${summaryOf(message).slice(0, 60)}`}
        >
          <IconChevronDown size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!direct && !isSms && (
          <Group gap={2} wrap="nowrap" justify="space-between" px={4}>
            {emojis.map(([emoji, name]) => (
              <Menu.Item
                key={emoji}
                className={classes['emoji']}
                aria-label={emoji === given ? `Take back ${name}` : `React: ${name}`}
                data-given={emoji === given || undefined}
                onClick={() => react(message, emoji === given ? '' : emoji)}
              >
                {emoji}
              </Menu.Item>
            ))}
          </Group>
        )}
        {!isSms && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => reply(message)}>
            Reply
          </Menu.Item>
        )}
        {message.text && (
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => void navigator.clipboard?.writeText(message.text)}
          >
            Copy text
          </Menu.Item>
        )}
        {!direct && (
          <Menu.Item
            component={Link}
            href={isSms ? `/sms/${message.uuid}` : `/messages/${message.uuid}`}
            leftSection={<IconInfoCircle size={16} />}
          >
            See it in the console
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
