import { Alert, Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { Schema } from '../../api/index.ts';
import { Time } from '../../parts/index.ts';
import { kindTitle } from './condition-kinds.ts';
import classes from './routing.module.css';
import { useNames } from './use-names.ts';
import { type Channel, type Destination, destinationValuesOf } from './values.ts';
import { sayDestination } from './words.ts';

type Found = Schema<'RouteExplanation'>;

/** Which way it would take, and for each route each condition with what was found. */
export function Explanation({ channel, found }: { channel: Channel; found: Found }) {
  const names = useNames();
  const [winner, ...others] = found.destinations;
  const say = (destination: Destination) => sayDestination(destinationValuesOf(destination, channel), names);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        At <Time at={found.at} exact />:
      </Text>
      {winner ? (
        <Alert color="green" icon={<IconCheck />} title={wayOf(winner.route, winner.name)}>
          <Text size="sm">
            {say(winner.destination)}
            {agentsOf(winner.agents)}.
          </Text>
          {others.length > 0 && (
            <>
              <Text size="sm" mt="xs">
                If that does not work out:
              </Text>
              <List type="ordered" size="sm">
                {others.map(({ route, name, destination, agents }) => (
                  <List.Item key={route ?? 'fallback'}>
                    {wayOf(route, name)}: {say(destination)}
                    {agentsOf(agents)}
                  </List.Item>
                ))}
              </List>
            </>
          )}
        </Alert>
      ) : (
        <Alert color="orange" icon={<IconX />} title="No route matches, and there is no fallback">
          {channel === 'VOICE' ? 'The target number of the number rings, if it has one.' : 'It is not sent on.'}
        </Alert>
      )}
      <Title order={3} size="h5">
        Route by route
      </Title>
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {found.routes.map((route, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: routes are told apart by their place
          <li key={index}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {index + 1}. {route.name || `Route ${index + 1}`}
              </Text>
              <Badge variant="light" tt="none" color={route.matches ? 'green' : 'gray'}>
                {route.matches ? 'Matches' : 'Does not match'}
              </Badge>
              {route.drawn !== null && (
                <Badge variant="light" tt="none" color="blue">
                  {route.drawn ? 'Drawn in its group' : 'Another of its group was drawn'}
                </Badge>
              )}
            </Group>
            {route.conditions.length === 0 ? (
              <Text size="sm" c="dimmed">
                It has no condition.
              </Text>
            ) : (
              route.conditions.map((one) => <Outcome key={one.condition} {...one} />)
            )}
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

const wayOf = (route: number | null, name: string): string =>
  route === null ? 'The fallback' : name ? `Route ${route + 1}: ${name}` : `Route ${route + 1}`;

function agentsOf(agents: Found['destinations'][number]['agents']): string {
  if (!agents) return '';
  return agents.length > 0 ? ` (${agents.map(({ name }) => name).join(', then ')})` : ' (nobody is available)';
}

const Outcome = ({ condition, holds, found }: Found['routes'][number]['conditions'][number]) => (
  <Text size="sm" component="div" className={classes['outcome'] ?? ''}>
    {holds ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
    <span>
      {kindTitle(condition)}: {holds ? 'holds' : 'does not hold'}
      {found && `; found ${found}`}
    </span>
  </Text>
);
