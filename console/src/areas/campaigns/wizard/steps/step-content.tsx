import { Alert, Grid, SegmentedControl, Select, Stack, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { KnownNames } from '../../../../parts/bubble/index.ts';
import { Section } from '../../../../parts/index.ts';
import { useDefinitions } from '../../../../parts/messages/use-definitions.ts';
import { fillText } from '../../../../parts/writing/index.ts';
import { usePeople } from '../audience/use-people.ts';
import { Fallbacks } from '../content/fallbacks.tsx';
import { MessagePreview } from '../content/message-preview.tsx';
import { knownFor } from '../content/person.ts';
import { TemplateContent } from '../content/template-content.tsx';
import { TextContent } from '../content/text-content.tsx';
import { isTemplate, placeholdersIn, textsOf } from '../form.ts';
import type { StepProps } from './step-props.ts';

/** What is sent, with a phone that shows it for one of the audience as one types. */
export function StepContent({ form }: StepProps) {
  const { values } = form;
  const { people } = usePeople(values.lists);
  const [chosen, setChosen] = useState<string | null>(null);
  const person = people.find(({ uuid }) => uuid === chosen) ?? people[0];
  const templates = useDefinitions(values.channel === 'CHATAPP' ? values.sender : '');
  const used = textsOf(values).flatMap(placeholdersIn);
  const key = used.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `used`
  const known = useMemo(
    () => knownFor(person, people, used, values.fallbacks),
    [person, people, key, values.fallbacks],
  );
  const filled = fillText(
    values.text,
    Object.fromEntries(known.map(({ name, value }) => [name, value ?? ''])),
  ).replaceAll(/\{\{[^{}]+\}\}/g, '');
  const templated = isTemplate(values);
  return (
    <KnownNames value={known}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Message">
            <Stack>
              {values.channel === 'CHATAPP' && (
                <SegmentedControl
                  aria-label="Kind of message"
                  data={[
                    { value: 'template', label: 'Template' },
                    { value: 'text', label: 'Text' },
                  ]}
                  {...form.getInputProps('content')}
                />
              )}
              {values.channel === 'CHATAPP' && !templated && (
                <Alert color="orange">
                  Free-form text only reaches people who messaged you in the last 24 hours. Others are skipped.
                </Alert>
              )}
              {templated ? <TemplateContent form={form} /> : <TextContent form={form} filled={filled} />}
              <Fallbacks form={form} />
              <Switch
                label="Track links"
                description="Replaces URLs with short links that count clicks."
                {...form.getInputProps('track_links', { type: 'checkbox' })}
              />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="sm" pos="sticky" top={80}>
            <Select
              label="Shown for"
              placeholder="Nobody is on the list yet"
              data={people.map(({ uuid, name, phone_number }) => ({ value: uuid, label: name || phone_number }))}
              value={person?.uuid ?? null}
              onChange={setChosen}
              allowDeselect={false}
              searchable
            />
            <MessagePreview
              channel={values.channel}
              sender={values.sender}
              owner={person ? person.name || person.phone_number : 'A contact'}
              text={templated ? undefined : values.text}
              template={templated ? values.template : undefined}
              definition={templates.find(values.template.name)}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </KnownNames>
  );
}
