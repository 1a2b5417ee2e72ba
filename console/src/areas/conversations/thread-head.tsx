import { ActionIcon, Badge, Group, Text, Title } from '@mantine/core';
import { IconClock, IconClockOff, IconInfoCircle } from '@tabler/icons-react';
import { Phone, Time } from '../../parts/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import classes from './inbox.module.css';
import type { Conversation, Pair } from './types.ts';

interface ThreadHeadProps {
  pair: Pair;
  name: string;
  /** The page says who it is already. */
  isTitled: boolean;
  conversation: Conversation | undefined;
  panel: boolean;
  onPanel(): void;
}

/** Who it is, and until when anything may be sent to them. */
export function ThreadHead({ pair, name, isTitled, conversation, panel, onPanel }: ThreadHeadProps) {
  const { nameOf } = useSenders();
  return (
    <div className={classes['head']}>
      <div style={{ minWidth: 0 }}>
        {!isTitled && (
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {name || <Phone number={pair.person} copy={false} />}
          </Title>
        )}
        <Text component="div" size="xs" c="dimmed">
          {name && <Phone number={pair.person} copy={false} />} with {nameOf(pair.sender)}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {conversation && <WindowBadge conversation={conversation} />}
        <ActionIcon
          className={classes['panelSwitch']}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="About this person"
          aria-expanded={panel}
          onClick={onPanel}
        >
          <IconInfoCircle size={20} />
        </ActionIcon>
      </Group>
    </div>
  );
}

const WindowBadge = ({ conversation: { is_open, window_closes } }: { conversation: Conversation }) =>
  is_open ? (
    <Badge variant="light" color="green" tt="none" leftSection={<IconClock size={13} aria-hidden />}>
      Open, closes <Time at={window_closes} />
    </Badge>
  ) : (
    <Badge variant="light" color="gray" tt="none" leftSection={<IconClockOff size={13} aria-hidden />}>
      Closed: templates only
    </Badge>
  );
