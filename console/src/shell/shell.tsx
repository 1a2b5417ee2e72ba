import { Burger, Group, ScrollArea, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Area } from '../areas.ts';
import iconUrl from '../icon.svg?inline';
import { useConnected } from '../live/index.ts';
import { useHere } from '../parts/account.tsx';
import { ClockBanner, useMovedClock } from './clock-banner.tsx';
import { SchemeSwitch, UserMenu } from './header-menus.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { SearchButton } from './search-button.tsx';
import classes from './shell.module.css';

/** The frame around the areas: header, navigation, and the page. */
export function Shell({ area, children }: { area: Area | undefined; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const { session } = useHere();
  const { clock, isLoading } = useMovedClock();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when one has gone somewhere
  useEffect(close, [location]);
  return (
    <div className={classes['shell']}>
      {session.user && <Notices />}
      {/* Not a link: with a base address, #main would lead to another page. */}
      <UnstyledButton className={`skip ${classes['skip']}`} onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </UnstyledButton>
      <header className={classes['header']}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            />
            <Link href="/" className={classes['brand']}>
              <img src={iconUrl} alt="" width={28} height={28} />
              <Text component="span" fw={700} size="lg">
                Parley
              </Text>
            </Link>
            <Text size="sm" c="dimmed" truncate visibleFrom="xs">
              {session.account.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <LiveDot />
            <SchemeSwitch />
            <UserMenu />
          </Group>
        </Group>
      </header>
      <nav className={classes['navbar']} aria-label="Main" data-opened={opened || undefined}>
        <ScrollArea h="100%" type="scroll">
          <Navigation current={area} />
        </ScrollArea>
      </nav>
      <main id="main" tabIndex={-1} className={classes['main']}>
        <div className={classes['page']}>
          {session.user?.must_change_password && <PrintedPasswordHint />}
          {clock && <ClockBanner clock={clock} />}
          {/* It loads meanwhile. Shown before, it would be pushed down by the banner under somebody's pointer. */}
          <div style={isLoading ? { visibility: 'hidden' } : {}}>{children}</div>
        </div>
      </main>
    </div>
  );
}

/** Elsewhere than on the machine itself the console asks for another password before anything else. */
const PrintedPasswordHint = () => (
  <Text size="sm" c="dimmed" mb="md">
    You use the password that the first start printed. <Link href="/profile">Choose your own</Link>
  </Text>
);

function LiveDot() {
  const connected = useConnected();
  const words = connected ? 'Live: updates appear immediately' : 'Offline: reconnecting';
  return (
    <Tooltip label={words}>
      <span className={classes['live']} role="status" aria-label={words} data-connected={connected}>
        <span className={classes['dot']} data-connected={connected || undefined} />
        {connected ? 'Live' : 'Offline'}
      </span>
    </Tooltip>
  );
}
