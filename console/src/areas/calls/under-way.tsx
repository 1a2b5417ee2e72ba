import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { May, Phone, Section, Time } from '../../parts/index.ts';
import { CallBadge, DirectionIcon } from './result.tsx';
import { useHangUp } from './use-hang-up.ts';

/** The calls that ring or are talked on right now. Nothing at all while there are none. */
export function UnderWay() {
  const talking = useList('/v2/voice/calls/', { status: 'IN_PROGRESS' }, { pageSize: 20 });
  const ringing = useList('/v2/voice/calls/', { status: 'RINGING' }, { pageSize: 20 });
  const queued = useList('/v2/voice/calls/', { status: 'QUEUED' }, { pageSize: 20 });
  const { hangUp, pending } = useHangUp();
  const calls = [...talking.rows, ...ringing.rows, ...queued.rows];
  if (calls.length === 0) return null;
  const more = talking.hasMore || ringing.hasMore || queued.hasMore;
  return (
    <Section title={`In progress (${calls.length}${more ? ' or more' : ''})`}>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {calls.map((call) => (
          <Group key={call.uuid} component="li" justify="space-between" gap="sm">
            <Ends call={call} />
            <Group gap="sm">
              <Text size="sm" c="dimmed">
                started <Time at={call.created} />
              </Text>
              <CallBadge call={call} />
              <May>
                <Button
                  size="xs"
                  color="red"
                  variant="light"
                  loading={pending === call.uuid}
                  aria-label={`Hang up the call from ${call.from || 'a withheld number'} to ${call.to}`}
                  onClick={() => void hangUp(call)}
                >
                  Hang up
                </Button>
              </May>
            </Group>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

const Ends = ({ call }: { call: Row<'/v2/voice/calls/'> }) => (
  <Group gap="sm" wrap="nowrap">
    <DirectionIcon direction={call.direction} />
    <Anchor component={Link} href={`/calls/${call.uuid}`} size="sm">
      {call.from ? <Phone number={call.from} copy={false} /> : 'Withheld'} → <Phone number={call.to} copy={false} />
    </Anchor>
  </Group>
);
