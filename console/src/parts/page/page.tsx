import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { usePageScroll } from './page-scroll.ts';

export interface PageProps {
  /** The heading; also the title of the browser's tab. */
  title: string;
  /** Beside the heading: a `Status`, for instance. */
  aside?: ReactNode;
  /** A sentence that says what this page is for. */
  description?: ReactNode;
  /** Buttons, the most important last. */
  actions?: ReactNode;
  /** The way here, without the page itself: `[{ title: 'Intros', href: '/intros' }]`. */
  trail?: { title: string; href: string }[];
  children?: ReactNode;
}

/** The frame of every page of an area. Takes the focus to its title when one comes here, so that a screen reader reads it. */
export function Page({ title, aside, description, actions, trail, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  usePageScroll();
  useEffect(() => {
    // Not at the first page, where the browser has placed the focus.
    if (navigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      {trail && (
        <Breadcrumbs component="nav" aria-label="Breadcrumbs" mb="xs">
          {trail.map((step) => (
            <Anchor key={step.href} component={Link} href={step.href} size="sm">
              {step.title}
            </Anchor>
          ))}
          <Text size="sm" c="dimmed" lh="sm" aria-current="page" truncate maw="20rem">
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" mb="lg" gap="md">
        <div style={{ minWidth: 0 }}>
          <Group gap="sm">
            <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {aside}
          </Group>
          {description && (
            <Text c="dimmed" mt={4} maw="48rem">
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </>
  );
}

let pages = 0;
const navigated = (): boolean => pages++ > 0;
