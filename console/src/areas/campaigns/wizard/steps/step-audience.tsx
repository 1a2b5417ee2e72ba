import { Alert, Anchor, MultiSelect, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { sayProblem } from '../../../../api/index.ts';
import { useAllLists } from '../../../../parts/fields/use-all-lists.ts';
import { Section } from '../../../../parts/index.ts';
import { locale } from '../../../../parts/locale.ts';
import { audienceQuery, sayAudience } from '../audience/audience.ts';
import { conditionOf, isWhole } from '../audience/segment.ts';
import { SegmentEditor } from '../audience/segment-editor.tsx';
import type { StepProps } from './step-props.ts';

const figure = new Intl.NumberFormat(locale);

/** Lists minus lists, and who of these. */
export function StepAudience({ form }: StepProps) {
  const lists = useAllLists();
  const { lists: chosen, excluded_lists: excluded } = form.values;
  const options = lists.map(({ uuid, name, contact_count }) => ({
    value: uuid,
    label: `${name} (${figure.format(contact_count)})`,
  }));
  const without = (taken: string[]) => options.filter(({ value }) => !taken.includes(value));
  const segment = form.values.segment.filter(isWhole).map(conditionOf);
  const { data, error } = useQuery(audienceQuery({ ...form.values, segment }));
  const counted = data ? `Will go to ${sayAudience(data)}.` : error ? sayProblem(error) : 'Counting…';
  return (
    <Section title="Audience" description="Everyone on the lists at launch gets it once.">
      <Stack>
        <MultiSelect
          label="Lists"
          required
          searchable
          placeholder={chosen.length === 0 ? 'Choose lists' : ''}
          data={without(excluded)}
          nothingFoundMessage="No list found."
          {...form.getInputProps('lists')}
        />
        <MultiSelect
          label="Exclude lists"
          description="Contacts on these lists are skipped."
          searchable
          placeholder={excluded.length === 0 ? 'No list' : ''}
          data={without(chosen)}
          nothingFoundMessage="No list found."
          {...form.getInputProps('excluded_lists')}
        />
        <SegmentEditor form={form} />
        {lists.length === 0 ? (
          <Alert color="gray">
            No lists yet.{' '}
            <Anchor underline="always" component={Link} href="/contacts/upload">
              Upload contacts
            </Anchor>{' '}
            into a list first.
          </Alert>
        ) : (
          <Alert color="brand" icon={<IconUsers size={18} />} role="status">
            <Text size="sm">{chosen.length === 0 ? 'Nobody yet.' : counted}</Text>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}
