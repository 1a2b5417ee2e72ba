import { Collapse, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface MoreProps {
  title: string;
  /** Something in it is wrong: it cannot stay folded. */
  open?: boolean;
  children: ReactNode;
}

/** Fields that most people leave alone, behind a heading that unfolds them. */
export function More({ title, open = false, children }: MoreProps) {
  const [unfolded, { toggle }] = useDisclosure(false);
  const opened = unfolded || open;
  return (
    <div>
      <UnstyledButton
        onClick={toggle}
        aria-expanded={opened}
        fz="sm"
        fw={600}
        style={{ display: 'flex', alignItems: 'center', gap: 4 }}
      >
        <IconChevronRight size={16} style={{ transform: opened ? 'rotate(90deg)' : 'none' }} aria-hidden />
        {title}
      </UnstyledButton>
      <Collapse expanded={opened} mt="md">
        {children}
      </Collapse>
    </div>
  );
}
