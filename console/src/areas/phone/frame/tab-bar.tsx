import { Indicator, VisuallyHidden } from '@mantine/core';
import { IconDeviceMobileMessage, IconMessageCircle, IconPhone } from '@tabler/icons-react';
import { usePhoneHere } from '../phone-context.ts';
import type { Thread } from '../threads.ts';
import classes from './handset.module.css';

const apps = [
  { app: 'chats', title: 'Chats', Icon: IconMessageCircle, kind: 'chat' },
  { app: 'sms', title: 'SMS', Icon: IconDeviceMobileMessage, kind: 'sms' },
  { app: 'phone', title: 'Phone', Icon: IconPhone, kind: null },
] as const;

/** The apps of the phone. */
export function TabBar() {
  const { person, screen, go, threads } = usePhoneHere();
  return (
    <nav className={classes['tabs']} aria-label={`Apps of ${person.name || person.number}`}>
      {apps.map(({ app, title, Icon, kind }) => {
        const unread = unreadOf(threads, kind);
        return (
          <button
            type="button"
            key={app}
            className={classes['tab']}
            aria-current={screen.app === app ? 'page' : undefined}
            onClick={() => go({ app })}
          >
            <Indicator
              label={unread > 99 ? '99+' : unread}
              size={16}
              disabled={unread === 0}
              color="red.8"
              zIndex={1}
              aria-hidden
              component="span"
              inline
            >
              <Icon size={24} stroke={1.75} />
            </Indicator>
            {title}
            {unread > 0 && <VisuallyHidden>, {unread} unread</VisuallyHidden>}
          </button>
        );
      })}
    </nav>
  );
}

const unreadOf = (threads: Thread[], kind: Thread['kind'] | null): number =>
  threads.reduce((sum, thread) => (thread.kind === kind ? sum + thread.unread : sum), 0);
