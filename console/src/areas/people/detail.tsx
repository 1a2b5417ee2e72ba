import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { type Schema, useOne } from '../../api/index.ts';
import { Loaded, May, Page, Section, Stat, Time } from '../../parts/index.ts';
import { EraseDialog } from './erase.tsx';
import { Newest } from './newest.tsx';
import { kinds } from './words.ts';

type Person = Schema<'KnownPerson'>;

/** What is known of one person. */
export function PersonDetail({ number }: { number: string }) {
  const query = useOne('/v2/people/{number}/', { number });
  return (
    <Loaded query={query} what="person">
      {(person) => (
        <Page
          title={person.names[0] ?? person.number}
          trail={[{ title: 'People', href: '/people' }]}
          description={person.names.length > 0 ? [person.number, ...person.names.slice(1)].join(' · ') : undefined}
          actions={<Actions person={person} />}
        >
          <Stack>
            <Erasures erasures={person.erasures} />
            <Known person={person} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Known({ person: { counts, newest } }: { person: Person }) {
  const known = kinds.filter(({ name }) => counts[name] > 0);
  if (known.length === 0) return <Text>Nothing is stored about this person.</Text>;
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {known.map(({ name, label }) => (
          <Stat key={name} label={label} value={counts[name]} />
        ))}
      </SimpleGrid>
      {known.map((kind) => (
        <Section key={kind.name} title={kind.label}>
          <Newest kind={kind} rows={newest[kind.name]} />
        </Section>
      ))}
    </>
  );
}

const Erasures = ({ erasures }: Pick<Person, 'erasures'>) =>
  erasures.map(({ uuid, erased, by }) => (
    <Alert key={uuid} color="gray">
      Erased <Time at={erased} /> by {by.name}. Opt-outs still apply.
    </Alert>
  ));

function Actions({ person: { number } }: { person: Person }) {
  const [isErasing, setErasing] = useState(false);
  return (
    <Group gap="xs">
      <Button
        component="a"
        href={urlOf('/v2/people/{number}/export/', { number })}
        download
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        Export
      </Button>
      <May>
        <Button color="red.8" onClick={() => setErasing(true)}>
          Erase
        </Button>
      </May>
      {isErasing && <EraseDialog number={number} onClose={() => setErasing(false)} />}
    </Group>
  );
}
