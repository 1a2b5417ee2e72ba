import { Alert, Anchor, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useOne } from '../../api/index.ts';
import { Loaded, Page, RemoveButton, Status, Time } from '../../parts/index.ts';
import { AgentForm } from './form.tsx';

const trail = [{ title: 'Agents', href: '/agents' }];

/** Creates an agent. */
export function NewAgent() {
  const [, navigate] = useLocation();
  return (
    <Page title="New agent" trail={trail} description="A person who takes calls and chats.">
      <AgentForm onDone={({ uuid }) => navigate(`/agents/${uuid}`)} onCancel={() => navigate('/agents')} />
    </Page>
  );
}

/** Shows and changes an agent. */
export function EditAgent({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/agent-configs/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="agent">
      {(agent) => (
        <Page
          title={agent.name}
          trail={trail}
          aside={
            <Status
              word={agent.available ? 'AVAILABLE' : 'DISABLED'}
              label={agent.available ? 'Available' : agent.away ? 'Away' : 'Not at work'}
            />
          }
          description={
            agent.last_assigned ? (
              <>
                Last assigned <Time at={agent.last_assigned} />.
              </>
            ) : (
              'No calls or chats assigned yet.'
            )
          }
          actions={
            <RemoveButton
              path="/v2/agent-configs/{uuid}/"
              uuid={uuid}
              what={`the agent “${agent.name}”`}
              text="Routes and intros that name this agent no longer reach them."
              back="/agents"
            />
          }
        >
          {agent.away && (
            <Alert color="orange" mb="md" title="Away">
              {agent.away_until ? (
                <Text size="sm">
                  Until <Time at={agent.away_until} exact />.
                </Text>
              ) : (
                'Until somebody switches it off below.'
              )}
            </Alert>
          )}
          <AgentForm key={agent.uuid} agent={agent} onDone={() => undefined} onCancel={() => navigate('/agents')} />
          <Text size="sm" c="dimmed" mt="md">
            Which calls and messages come here is decided in{' '}
            <Anchor component={Link} href="/routing" inherit underline="always">
              Routing
            </Anchor>
            .
          </Text>
        </Page>
      )}
    </Loaded>
  );
}
