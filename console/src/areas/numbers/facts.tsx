import { Anchor, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { countryName } from '../../parts/fields/country.ts';
import { EmptyState, Loaded, Page, Section, sayWord } from '../../parts/index.ts';

/** What any number says by itself, whoever has it. */
export function NumberFacts() {
  const [params, setParams] = useSearchParams();
  const number = params.get('number') ?? '';
  const [text, setText] = useState(number);
  const query = useOne('/v2/number/insights/', {}, { number }, { enabled: number !== '' });
  return (
    <Page
      title="Look up a number"
      trail={[{ title: 'Numbers', href: '/numbers' }]}
      description="What a number tells by itself: whether it can exist, its country and its kind. Nothing is sent anywhere."
    >
      <Stack>
        <Section>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setParams(text.trim() ? { number: text.trim() } : {});
            }}
          >
            <Group align="flex-end">
              <TextInput
                label="Number"
                type="tel"
                placeholder="+44 7700 900123"
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                style={{ flex: '1 1 14rem' }}
              />
              <Button type="submit" leftSection={<IconSearch size={16} />}>
                Look up
              </Button>
            </Group>
          </form>
        </Section>
        {number === '' ? (
          <Section>
            <EmptyState title="Enter any number." hint="In any notation; without a country code yours is meant." />
          </Section>
        ) : (
          <Loaded query={query}>
            {({ number: found, known }) => (
              <Section
                title={known.international}
                actions={
                  known.is_own && (
                    <Anchor component={Link} href={`/numbers/${found}`}>
                      This number is yours
                    </Anchor>
                  )
                }
              >
                <Knowledge known={known} />
              </Section>
            )}
          </Loaded>
        )}
      </Stack>
    </Page>
  );
}

/** The facts as a small table. */
export function Knowledge({ known }: { known: Schema<'NumberKnowledge'> }) {
  const validity = known.valid
    ? 'Yes, it lies in a range that its country has given out'
    : known.possible
      ? 'It has a possible length, but lies in no known range'
      : 'No, it does not have the length of a number there';
  const rows: [string, string][] = [
    ['Valid', validity],
    ['Country', known.country ? `${countryName(known.country)} (${known.country})` : 'It does not tell'],
    ['Calling code', known.calling_code && `+${known.calling_code.replace('+', '')}`],
    ['Kind', sayWord(known.type)],
    ['Written at home', known.national],
    ['Written abroad', known.international],
    ['Time zone', known.time_zones.join(', ') || (known.country ? 'Its country has several' : 'Not known')],
  ];
  return (
    <Table>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={{ base: '7rem', sm: '11rem' }} fw={500}>
              {name}
            </Table.Th>
            <Table.Td>
              <Text size="sm">{value || '–'}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
