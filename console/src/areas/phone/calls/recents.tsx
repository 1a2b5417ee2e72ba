import { Text, VisuallyHidden } from '@mantine/core';
import { IconPhone, IconPhoneIncoming, IconPhoneOutgoing, IconPhoneX } from '@tabler/icons-react';
import { useHere } from '../../../parts/account.tsx';
import { EmptyState } from '../../../parts/index.ts';
import classes from '../frame/screen.module.css';
import { sayDuration, sayShort } from '../moments.ts';
import { usePhoneHere } from '../phone-context.ts';
import type { Leg } from '../types.ts';

/** Calls that were, the latest first; a tap calls again. */
export function Recents({ legs }: { legs: Leg[] }) {
  const { timeZone } = useHere();
  const { nameOf, dial } = usePhoneHere();
  if (legs.length === 0)
    return <EmptyState icon={IconPhone} title="No calls yet." hint="Call a number, or have this one called." />;
  return (
    <ul className={classes['list']}>
      {legs.map((leg) => {
        const { word, Icon, missed } = kindOf(leg);
        return (
          <li key={leg.uuid}>
            <button type="button" className={classes['thread']} onClick={() => dial(leg.other)}>
              <Icon size={20} aria-hidden />
              <VisuallyHidden>Call again: </VisuallyHidden>
              <span className={classes['words']}>
                <Text component="span" fw={600} truncate c={missed ? 'var(--mantine-color-error)' : undefined}>
                  {nameOf(leg.other)}
                </Text>
                <Text component="span" size="xs" c="dimmed">
                  {word}
                  {leg.pressed && ` · pressed ${leg.pressed}`}
                </Text>
              </span>
              <Text component="span" size="xs" c="dimmed">
                {sayShort(leg.created, timeZone)}
              </Text>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function kindOf({ direction, answered, ended, hung_up_by: by }: Leg) {
  const length = answered && ended ? `, ${sayDuration((Date.parse(ended) - Date.parse(answered)) / 1000)}` : '';
  if (direction === 'INBOUND')
    return { word: answered ? `Made${length}` : 'Not answered', Icon: IconPhoneOutgoing, missed: false };
  if (answered) return { word: `Answered${length}`, Icon: IconPhoneIncoming, missed: false };
  return { word: by === 'peer' ? 'Declined' : 'Missed', Icon: IconPhoneX, missed: true };
}
