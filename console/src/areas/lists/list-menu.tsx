import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Link } from 'wouter';

interface ListMenuProps {
  uuid: string;
  isEmpty: boolean;
  onRename(): void;
  onEmpty(): void;
  onDelete(): void;
}

/** What is done to a list less often. */
export const ListMenu = ({ uuid, isEmpty, onRename, onEmpty, onDelete }: ListMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button variant="default" leftSection={<IconDots size={16} />}>
        More
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={onRename}>Rename</Menu.Item>
      <Menu.Item component={Link} href={`/contacts?list=${uuid}`}>
        Search among its contacts
      </Menu.Item>
      <Menu.Item color="red" disabled={isEmpty} onClick={onEmpty}>
        Empty
      </Menu.Item>
      <Menu.Item color="red" onClick={onDelete}>
        Delete
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
