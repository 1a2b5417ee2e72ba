import { ActionIcon, Text } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Picture } from '../bubble/picture.tsx';
import classes from './screen.module.css';

interface ScreenHeadProps {
  title: string;
  subtitle?: string;
  /** Shows a picture made of the initials. */
  avatar?: boolean;
  onBack?: (() => void) | undefined;
  children?: ReactNode;
}

/** The upper edge of an app on the phone. */
export function ScreenHead({ title, subtitle, avatar = false, onBack, children }: ScreenHeadProps) {
  return (
    <div className={classes['head']} data-large={!onBack}>
      {onBack && (
        <ActionIcon variant="subtle" color="gray" size={36} radius="xl" aria-label="Back" onClick={onBack}>
          <IconChevronLeft size={24} />
        </ActionIcon>
      )}
      {avatar && <Picture name={title} size={36} />}
      <div className={classes['title']}>
        <Text component="h2" fw={650} size={onBack ? 'md' : 'xl'} truncate>
          {title}
        </Text>
        {subtitle && (
          <Text size="xs" c="dimmed" truncate>
            {subtitle}
          </Text>
        )}
      </div>
      {children}
    </div>
  );
}
