import { Alert, Grid, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { ApiProblem, type Body, type Schema } from '../../api/index.ts';
import { ApiForm, type ApiFormProps, Page, Section } from '../../parts/index.ts';
import { lazily } from '../../parts/loading/lazily.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { readDefinition } from './definition.ts';
import { TryFlow } from './try-flow.tsx';
import { categories } from './words.ts';

const DefinitionField = lazily(() => import('./editor/definition-field.tsx'));

type Flow = Schema<'FlowDetail'>;

export interface FlowValues {
  chatapp_number: string;
  name: string;
  category: Body<'/v2/chatapp/flows/', 'post'>['category'];
  /** JSON, as it was typed or drawn. */
  definition: string;
  publish: boolean;
}

export const flowValues = ({ chatapp_number, name, category, definition }: Flow): FlowValues => ({
  chatapp_number,
  name,
  category,
  definition: definition ? JSON.stringify(definition, null, 2) : '',
  publish: false,
});

/** The definition that was typed, for the request that `send` makes; what the API finds wrong inside it is said at the field. */
export async function sendFlow(
  { definition: text }: FlowValues,
  send: (definition: Record<string, unknown> | undefined) => Promise<Flow>,
): Promise<Flow> {
  const read = readDefinition(text);
  if (read.problem !== undefined) throw new ApiProblem(400, { definition: [read.problem] });
  try {
    return await send(read.definition);
  } catch (error) {
    if (!(error instanceof ApiProblem) || Object.keys(error.fields).length === 0) throw error;
    const fields: Record<string, string[]> = {};
    for (const [path, sentence] of Object.entries(error.fields)) {
      const [first = path, ...rest] = path.split('.');
      const field = first === 'status' ? 'publish' : first;
      fields[field] = [...(fields[field] ?? []), rest.length > 0 ? `${rest.join('.')}: ${sentence}` : sentence];
    }
    throw new ApiProblem(error.status, fields, error.requestId);
  }
}

interface FlowFormProps
  extends Pick<ApiFormProps<FlowValues, Flow>, 'submit' | 'edits' | 'draft' | 'button' | 'done' | 'onCancel'> {
  title: string;
  trail: { title: string; href: string }[];
  description: string;
  initial: FlowValues;
  /** A draft that is there already: its number stays. */
  isStored?: boolean;
  note?: ReactNode;
  onDone(flow: Flow): void;
}

/** A flow, drawn or written, and tried beside it. */
export function FlowForm({ title, trail, description, initial, isStored = false, note, ...form }: FlowFormProps) {
  const { options } = useSenders();
  const [values, setValues] = useState(initial);
  const read = readDefinition(values.definition);
  return (
    <Page title={title} trail={trail} description={description}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <Section>
            <ApiForm
              {...form}
              initialValues={initial}
              invalidates={['/v2/chatapp/flows/', '/v2/sandbox/flows/']}
              onValues={setValues}
            >
              {(form) => (
                <Stack>
                  {note}
                  <TextInput
                    label="Name"
                    required
                    maxLength={200}
                    placeholder="Book a viewing"
                    {...form.getInputProps('name')}
                  />
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    {!isStored && (
                      <Select
                        label="Your number"
                        required
                        data={options}
                        allowDeselect={false}
                        {...form.getInputProps('chatapp_number')}
                      />
                    )}
                    <Select
                      label="Category"
                      required
                      data={categories}
                      allowDeselect={false}
                      {...form.getInputProps('category')}
                    />
                  </SimpleGrid>
                  <Suspense fallback={null}>
                    <DefinitionField {...form.getInputProps('definition')} />
                  </Suspense>
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
            <TryFlow name={values.name} definition={'definition' in read ? read.definition : undefined} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
