import { Alert, Grid, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type Schema, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Facts, Id, Json, Loaded, Page, Phone, Section, Status, Story, Time } from '../../parts/index.ts';
import { Answers } from './answers.tsx';
import { FlowActions } from './flow-actions.tsx';
import { FlowPreview } from './flow-preview.tsx';
import { flowSteps } from './steps.ts';
import { categoryNames } from './words.ts';

type Flow = Schema<'FlowDetail'>;

/** One flow: its screens, how it stands, what people answered. */
export function FlowDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/flows/{uuid}/', { uuid });
  useLiveRefresh(['flow.'], ['/v2/chatapp/flows/', '/v2/events/']);
  useLiveRefresh(['message.received'], ['/v2/chatapp/messages/']);
  return (
    <Loaded query={query} what="flow">
      {(flow) => <Shown flow={flow} />}
    </Loaded>
  );
}

function Shown({ flow }: { flow: Flow }) {
  const events = useList('/v2/events/', { subject: flow.uuid, ordering: 'created' });
  return (
    <Page
      title={flow.name}
      aside={<Status word={flow.status} />}
      trail={[{ title: 'Flows', href: '/flows' }]}
      actions={<FlowActions flow={flow} />}
    >
      <Stack>
        <Troubles flow={flow} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <FlowPreview flow={flow} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack>
              <Answers flow={flow} />
              <Section title="Details">
                <Facts
                  rows={[
                    ['Number', <Phone key="number" number={flow.chatapp_number} />],
                    ['Category', categoryNames[flow.category] ?? flow.category],
                    flow.wanted_status !== null && ['On its way to', <Status key="wanted" word={flow.wanted_status} />],
                    ['Platform id', flow.flow_id ? <Id key="flow" id={flow.flow_id} /> : 'Not created yet'],
                    ['Created', <Time key="created" at={flow.created} exact />],
                    ['Changed', <Time key="modified" at={flow.modified} exact />],
                    ['Id', <Id key="id" id={flow.uuid} />],
                  ]}
                />
              </Section>
              <Section title="Timeline">
                <Story steps={flowSteps(events.rows)} loading={events.isLoading} />
              </Section>
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  );
}

function Troubles({ flow: { status, status_description, validation_errors } }: { flow: Flow }) {
  const icon = <IconAlertTriangle size={18} />;
  return (
    <>
      {(status === 'THROTTLED' || status === 'BLOCKED') && (
        <Alert color="orange" icon={icon} title={`The platform has it ${status.toLowerCase()}`}>
          Usually because its endpoint fails.
        </Alert>
      )}
      {status_description && (
        <Alert color="red" icon={icon} title="The platform refused the last change">
          {status_description}
        </Alert>
      )}
      {validation_errors.length > 0 && (
        <Alert color="red" icon={icon} title="The platform finds errors in the definition">
          <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
            {validation_errors.map((error) => (
              <li key={JSON.stringify(error)}>{sayError(error)}</li>
            ))}
          </ul>
          <Json value={validation_errors} title="As the platform says it" />
        </Alert>
      )}
    </>
  );
}

function sayError(error: Record<string, unknown>): string {
  const { message, error: code, line_start } = error;
  return `${String(message ?? code ?? 'An error')}${line_start === undefined ? '' : `, line ${String(line_start)}`}`;
}
