import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconBook2,
  IconDeviceDesktop,
  IconLifebuoy,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { serverUrl } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { useHere } from '../parts/account.tsx';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const;

export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find(({ value }) => value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Colours: ${current.label}`}>
          <current.icon size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item key={value} leftSection={<Icon size={16} />} onClick={() => setColorScheme(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function UserMenu() {
  const client = useQueryClient();
  const { session } = useHere();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="You">
          <IconUserCircle size={22} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm">{session.user?.username ?? 'Signed in with a token'}</Text>
          <Text size="xs">{session.account.name}</Text>
        </Menu.Label>
        <Menu.Item component={Link} href="/profile" leftSection={<IconUserCircle size={16} />}>
          Profile
        </Menu.Item>
        <Menu.Item component="a" href={`${serverUrl}/help/`} leftSection={<IconLifebuoy size={16} />}>
          Help
        </Menu.Item>
        <Menu.Item component="a" href={`${serverUrl}/docs`} leftSection={<IconBook2 size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut(client)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
