import { ActionIcon, Anchor, Badge, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useHere } from '../../parts/account.tsx';
import { EmptyState } from '../../parts/index.ts';
import classes from './frame/pair.module.css';
import { sayClock } from './moments.ts';
import type { People } from './people.ts';
import { useLog } from './use-log.ts';

/** What happened on both phones, beside them. */
export function Log({ people, onClose }: { people: People; onClose(): void }) {
  const entries = useLog(people);
  const { timeZone } = useHere();
  return (
    <aside className={classes['log']} aria-label="What happened">
      <div className={classes['logHead']}>
        <Text component="h2" fw={650}>
          What happened
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </div>
      {entries.length === 0 && (
        <EmptyState title="Nothing has happened yet." hint="Open the link of an intro, or write to a sender." />
      )}
      <ol className={classes['entries']}>
        {entries.map(({ id, at, side, text, href, link }) => (
          <li key={`${id} ${side}`} className={classes['entry']}>
            <Badge
              size="sm"
              circle
              variant={side ? 'light' : 'filled'}
              color={side ? 'brand' : 'gray.7'}
              title={side ? people[side].name : 'Intro'}
            >
              {side ?? 'i'}
            </Badge>
            <span className={classes['entryWords']}>
              {text}{' '}
              {href && (
                <Anchor
                  component={Link}
                  href={href}
                  size="xs"
                  underline="always"
                  aria-label={`${link}: ${text.slice(0, 60)}`}
                >
                  {link}
                </Anchor>
              )}
            </span>
            <Text component="time" size="xs" c="dimmed" dateTime={at}>
              {sayClock(at, timeZone)}
            </Text>
          </li>
        ))}
      </ol>
    </aside>
  );
}
