import { Alert, Button, Grid, Group, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiProblem, type Body, call } from '../../api/index.ts';
import { ApiForm, Page, Section } from '../../parts/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { example, readDefinition } from './definition.ts';
import classes from './flows.module.css';
import { TryFlow } from './try-flow.tsx';
import { categories } from './words.ts';

type Category = Body<'/v2/chatapp/flows/', 'post'>['category'];

interface FlowDraft {
  chatapp_number: string;
  name: string;
  category: Category;
  definition: string;
  publish: boolean;
}

/** A new flow from its JSON, tried beside the text as one writes. */
export function NewFlow() {
  const { options, isLoading } = useSenders();
  if (isLoading) return null;
  const initial: FlowDraft = {
    chatapp_number: options[0]?.value ?? '',
    name: '',
    category: 'OTHER',
    definition: '',
    publish: false,
  };
  return <Form initial={initial} />;
}

async function create({ chatapp_number, name, category, definition: text, publish }: FlowDraft) {
  const read = readDefinition(text);
  if (read.problem !== undefined) throw new ApiProblem(400, { definition: [read.problem] });
  const body = {
    chatapp_number,
    name,
    category,
    ...(read.definition && { definition: read.definition }),
    ...(publish && { status: 'PUBLISHED' as const }),
  };
  try {
    return await call('post', '/v2/chatapp/flows/', { body });
  } catch (error) {
    if (!(error instanceof ApiProblem) || Object.keys(error.fields).length === 0) throw error;
    // Whatever is wrong inside the JSON is said at the JSON, with its path.
    const fields: Record<string, string[]> = {};
    for (const [path, sentence] of Object.entries(error.fields)) {
      const [first = path, ...rest] = path.split('.');
      const field = first === 'status' ? 'publish' : first;
      fields[field] = [...(fields[field] ?? []), rest.length > 0 ? `${rest.join('.')}: ${sentence}` : sentence];
    }
    throw new ApiProblem(error.status, fields, error.requestId);
  }
}

function Form({ initial }: { initial: FlowDraft }) {
  const [, navigate] = useLocation();
  const { options } = useSenders();
  const [draft, setDraft] = useState(initial);
  const read = readDefinition(draft.definition);
  return (
    <Page
      title="New flow"
      trail={[{ title: 'Flows', href: '/flows' }]}
      description="A definition is the platform's Flow JSON. Without one it is an empty draft, to be drawn in the platform's own editor."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <Section>
            <ApiForm
              initialValues={initial}
              submit={create}
              button="Create"
              done="Created."
              invalidates={['/v2/chatapp/flows/']}
              onDone={({ uuid }) => navigate(`/flows/${uuid}`)}
              onCancel={() => navigate('/flows')}
              onValues={setDraft}
            >
              {(form) => (
                <Stack>
                  <TextInput
                    label="Name"
                    required
                    maxLength={200}
                    placeholder="Book a viewing"
                    {...form.getInputProps('name')}
                  />
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    <Select
                      label="Your number"
                      required
                      data={options}
                      allowDeselect={false}
                      {...form.getInputProps('chatapp_number')}
                    />
                    <Select
                      label="Category"
                      required
                      data={categories}
                      allowDeselect={false}
                      {...form.getInputProps('category')}
                    />
                  </SimpleGrid>
                  <Textarea
                    className={classes['code'] ?? ''}
                    label="Definition"
                    autosize
                    minRows={14}
                    maxRows={30}
                    spellCheck={false}
                    placeholder='{"version": "7.3", "screens": […]}'
                    {...form.getInputProps('definition')}
                  />
                  <Group gap="xs">
                    <Button
                      variant="default"
                      size="xs"
                      onClick={() => form.setFieldValue('definition', JSON.stringify(example, null, 2))}
                    >
                      Use the example
                    </Button>
                    <Button
                      variant="default"
                      size="xs"
                      disabled={!('definition' in read) || !read.definition}
                      onClick={() =>
                        'definition' in read &&
                        form.setFieldValue('definition', JSON.stringify(read.definition, null, 2))
                      }
                    >
                      Tidy up
                    </Button>
                  </Group>
                  <Switch
                    label="Publish it at once"
                    description="A published flow can be sent; it cannot be changed any more."
                    {...form.getInputProps('publish', { type: 'checkbox' })}
                  />
                </Stack>
              )}
            </ApiForm>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          <Stack style={{ position: 'sticky', top: '5rem' }}>
            {read.problem && <Alert color="orange">{read.problem}</Alert>}
            <TryFlow name={draft.name} definition={'definition' in read ? read.definition : undefined} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
