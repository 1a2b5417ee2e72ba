import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type Row, type Schema, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Facts, Loaded, Section, type Step, Story, Time } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';
import { Knowledge } from './facts.tsx';
import { fieldWords } from './features.tsx';

/** A day is no moment: it is the same in every zone. */
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

function stepOf({ uuid, event, changed, data, created }: Row<'/v2/logs/raw-numbers/'>): Step {
  const known = { id: uuid, at: created, data };
  switch (event) {
    case 'number.assigned':
      return { ...known, text: 'Bought.', icon: IconPlus, color: 'green' };
    case 'number.released':
      return { ...known, text: 'Released.', icon: IconTrash, color: 'red' };
    case 'number.updated':
      return {
        ...known,
        text: changed.length > 0 ? `Changed: ${changed.map(fieldWords).join(', ')}.` : 'Settings saved.',
        icon: IconPencil,
      };
  }
}

/** What was done to the number, when it is billed, and what it tells by itself. */
export function NumberHistory({ number }: { number: Schema<'Number'> }) {
  const log = useList('/v2/logs/raw-numbers/', { number: number.number, ordering: '-created' }, { pageSize: 50 });
  const insights = useOne('/v2/number/{number}/insights/', { number: number.number });
  useLiveRefresh(['number.'], ['/v2/logs/raw-numbers/']);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Timeline">
        <Story steps={log.rows.map(stepOf)} loading={log.isLoading} />
        {log.hasMore && (
          <Button variant="subtle" mt="md" loading={log.isLoadingMore} onClick={log.loadMore}>
            Show more
          </Button>
        )}
      </Section>
      <Stack>
        <Section title="Billing">
          <Facts
            rows={[
              ['Bought', <Time key="bought" at={number.issued_date} exact />],
              ['First anniversary', date.format(new Date(number.billing_anniversary))],
            ]}
          />
          <Text size="sm" c="dimmed" mt="sm">
            Billed monthly on this day.
          </Text>
        </Section>
        <Section title="What it tells">
          <Loaded query={insights}>{({ known }) => <Knowledge known={known} />}</Loaded>
        </Section>
      </Stack>
    </SimpleGrid>
  );
}
