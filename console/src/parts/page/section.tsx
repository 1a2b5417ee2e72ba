import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SectionProps {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A card with a heading, the unit of detail pages and dashboards. */
export const Section = ({ title, description, actions, children }: SectionProps) => (
  <Card component="section" p="lg" {...(title && { 'aria-label': title })}>
    {(title || actions) && (
      <Group justify="space-between" mb={description ? 4 : 'md'}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    )}
    {description && (
      <Text c="dimmed" size="sm" mb="md">
        {description}
      </Text>
    )}
    {children}
  </Card>
);
