import { Menu } from '@mantine/core';
import { Link } from 'wouter';
import { May, MoreMenu } from '../../parts/index.ts';

interface ListMenuProps {
  uuid: string;
  isEmpty: boolean;
  onRename(): void;
  onEmpty(): void;
  onDelete(): void;
}

/** What is done to a list less often. */
export const ListMenu = ({ uuid, isEmpty, onRename, onEmpty, onDelete }: ListMenuProps) => (
  <MoreMenu>
    <May>
      <Menu.Item onClick={onRename}>Rename</Menu.Item>
    </May>
    <Menu.Item component={Link} href={`/contacts?list=${uuid}`}>
      Search contacts on this list
    </Menu.Item>
    <May>
      <Menu.Item color="red" disabled={isEmpty} onClick={onEmpty}>
        Empty
      </Menu.Item>
      <Menu.Item color="red" onClick={onDelete}>
        Delete
      </Menu.Item>
    </May>
  </MoreMenu>
);
