import { Button, Menu } from '@mantine/core';
import {
  IconBuildingBroadcastTower,
  IconChevronDown,
  IconMessage,
  IconPencilPlus,
  IconPhone,
} from '@tabler/icons-react';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { useMay } from '../../parts/index.ts';
import { conversationPath } from '../../parts/messages/links.ts';

/** Writes to the person or calls them, as far as whoever is signed in may. */
export function Reach({ number }: { number: string }) {
  const mayChat = useMay('inbox:write');
  const maySms = useMay('sms:write');
  const mayCall = useMay('calls:write');
  // Where people have talked before, they go on.
  const { rows, isLoading } = useList('/v2/chatapp/conversations/', { number }, { pageSize: 1, enabled: mayChat });
  const to = encodeURIComponent(number);
  const chat = rows[0] ? conversationPath(rows[0].chatapp_number, rows[0].number) : `/messages/new?to=${to}`;
  return (
    <>
      {(mayChat || maySms) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconPencilPlus size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              Write
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {/* Until it is known where they have talked, nobody is led elsewhere. */}
            {mayChat && isLoading && (
              <Menu.Item disabled leftSection={<IconMessage size={16} />}>
                Chat message
              </Menu.Item>
            )}
            {mayChat && !isLoading && (
              <Menu.Item component={Link} href={chat} leftSection={<IconMessage size={16} />}>
                Chat message
              </Menu.Item>
            )}
            {maySms && (
              <Menu.Item
                component={Link}
                href={`/sms?write=${to}`}
                leftSection={<IconBuildingBroadcastTower size={16} />}
              >
                SMS
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {mayCall && (
        <Button component={Link} href={`/calls?call=${to}`} variant="default" leftSection={<IconPhone size={16} />}>
          Call
        </Button>
      )}
    </>
  );
}
