import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMaySee } from '../may.tsx';

/** The button of a list that leads to the form for one more, for those who may: `<NewLink href="/lists/new">New list</NewLink>`. */
export const NewLink = ({ href, children }: { href: string; children: ReactNode }) => {
  const maySee = useMaySee();
  return maySee(href) ? (
    <Button component={Link} href={href} leftSection={<IconPlus size={16} />}>
      {children}
    </Button>
  ) : null;
};
