import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Among the actions of a page, what is done less often; its children are each a `Menu.Item`. */
export const MoreMenu = ({ loading = false, children }: { loading?: boolean; children: ReactNode }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button variant="default" leftSection={<IconDots size={16} />} loading={loading}>
        More
      </Button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
