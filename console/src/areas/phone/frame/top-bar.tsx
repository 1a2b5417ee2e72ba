import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconArrowLeft, IconClock, IconList, IconPlayerSkipForward } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useHere } from '../../../parts/account.tsx';
import { dayOf, sayClock } from '../moments.ts';
import { useSandboxClock, useSandboxNow } from './clock.tsx';
import classes from './pair.module.css';

const steps = [
  { label: 'A minute', seconds: 60 },
  { label: 'An hour', seconds: 3600 },
  { label: 'A day', seconds: 86_400 },
];
const speeds = [
  { label: 'Stopped', speed: 0 },
  { label: 'Normal', speed: 1 },
  { label: '10 times', speed: 10 },
  { label: '60 times', speed: 60 },
  { label: '600 times', speed: 600 },
];

/** Above the phones: the way back, the clock of the sandbox, and what happened. */
export function TopBar({ logOpen, onLog }: { logOpen: boolean; onLog(): void }) {
  return (
    <header className={classes['bar']}>
      <Anchor component={Link} href="/" size="sm" aria-label="Back to the console">
        <Group gap={4} wrap="nowrap">
          <IconArrowLeft size={16} aria-hidden /> Console
        </Group>
      </Anchor>
      <Text fw={650} visibleFrom="sm">
        Phone simulator
      </Text>
      <span className={classes['spacer']} />
      <ClockMenu />
      <Button
        size="compact-sm"
        variant={logOpen ? 'light' : 'default'}
        aria-expanded={logOpen}
        leftSection={<IconList size={16} />}
        onClick={onLog}
      >
        <span className={classes['long']}>What happened</span>
        <span className={classes['short']}>Log</span>
      </Button>
    </header>
  );
}

function ClockMenu() {
  const { timeZone } = useHere();
  const clock = useSandboxClock();
  const nowMs = useSandboxNow();
  const isToday = dayOf(nowMs, timeZone) === dayOf(Date.now(), timeZone);
  const pace = speeds.find(({ speed }) => speed === clock.speed)?.label ?? `${clock.speed} times`;
  return (
    <Group gap={4} wrap="nowrap">
      <Menu shadow="md" position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconClock size={16} />} loading={clock.isMoving}>
            {isToday ? '' : `${dayOf(nowMs, timeZone)} `}
            {sayClock(nowMs, timeZone)}
            {clock.speed !== 1 && `, ${pace.toLowerCase()}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Step the time of the sandbox forward by</Menu.Label>
          {steps.map(({ label, seconds }) => (
            <Menu.Item key={seconds} onClick={() => clock.advance(seconds)}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Label>How fast it runs</Menu.Label>
          {speeds.map(({ label, speed }) => (
            <Menu.Item key={speed} onClick={() => clock.setSpeed(speed)} fw={speed === clock.speed ? 700 : undefined}>
              {label}
              {speed === clock.speed && ' (now)'}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        visibleFrom="sm"
        variant="default"
        size={26}
        aria-label="Step the time forward by a minute"
        onClick={() => clock.advance(60)}
      >
        <IconPlayerSkipForward size={16} />
      </ActionIcon>
    </Group>
  );
}
