import { Button, Group, Loader, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Sheet } from '../frame/sheet.tsx';
import type { Landing } from './open-link.ts';

export type Browsing = { kind: 'loading'; url: string } | Exclude<Landing, { kind: 'chat' }>;

/** The browser of the phone: what it shows of links that lead to no chat. */
export function LinkSheet({ page, onClose }: { page: Browsing; onClose(): void }) {
  if (page.kind === 'loading')
    return (
      <Sheet title="Opening the link" onClose={onClose}>
        <Group>
          <Loader size="sm" />
          <Text size="sm">{page.url}</Text>
        </Group>
      </Sheet>
    );
  if (page.kind === 'dead')
    return (
      <Sheet title={page.title} onClose={onClose}>
        <Text>{page.sentence}</Text>
      </Sheet>
    );
  if (page.kind === 'unreadable')
    return (
      <Sheet title="No address" onClose={onClose}>
        <Text>
          {page.url ? `The button holds “${page.url}”.` : 'The button holds nothing.'} The template is known by its name
          alone, so the address around it is not known.
        </Text>
      </Sheet>
    );
  return (
    <Sheet title="This link leads elsewhere" onClose={onClose}>
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        {page.opened
          ? 'The click was counted. The link leads to a page outside this server; opening it once more counts again.'
          : page.url}
      </Text>
      <Button
        component="a"
        href={page.url}
        target="_blank"
        rel="noreferrer"
        radius="xl"
        fullWidth
        rightSection={<IconExternalLink size={16} />}
      >
        Open in a new tab
      </Button>
    </Sheet>
  );
}
