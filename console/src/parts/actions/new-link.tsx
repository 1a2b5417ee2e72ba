import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** The button of a list that leads to the form for one more: `<NewLink href="/lists/new">New list</NewLink>`. */
export const NewLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Button component={Link} href={href} leftSection={<IconPlus size={16} />}>
    {children}
  </Button>
);
