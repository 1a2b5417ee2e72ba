import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconBuildingBroadcastTower, IconPhone, IconServer } from '@tabler/icons-react';
import { useOne } from '../../api/index.ts';
import { Section, Status, Time, useMay } from '../../parts/index.ts';

const everyMs = 10_000;
const words: Record<string, string> = {
  UP: 'ACTIVE',
  DOWN: 'FAILED',
  CONNECTING: 'PROCESSING',
  STARTING: 'PROCESSING',
};
const labels: Record<string, string> = {
  UP: 'Up',
  DOWN: 'Down',
  CONNECTING: 'Connecting',
  STARTING: 'Starting',
  DISABLED: 'Disabled',
};

const sayState = (state: string): string => (labels[state] ?? state).toLowerCase();

interface Link {
  name: string;
  carrier: string;
  state: string;
  since: string | null;
  sent: number;
  failed: number;
  queue_depth: number;
  last_error: string | null;
}

/** Whether the ways to the networks are up. No events tell of it, so it is asked for every ten seconds. */
export function Network() {
  const maySms = useMay('sms:read');
  const mayVoice = useMay('voice:read');
  const isOperator = useMay('operator');
  const sms = useOne('/v2/network-status/sms/', {}, {}, { refetchInterval: everyMs, enabled: maySms });
  const voice = useOne('/v2/network-status/voice/', {}, {}, { refetchInterval: everyMs, enabled: mayVoice });
  if (!maySms && !mayVoice && !isOperator) return null;
  return (
    <Section title="Networks">
      {((maySms && !sms.data) || (mayVoice && !voice.data)) && <Skeleton h={80} />}
      <Stack gap="md">
        {sms.data?.results.map((link) => (
          <Row key={`sms ${link.link}`} kind="SMS" link={link} />
        ))}
        {voice.data?.results.map((link) => (
          <Row key={`voice ${link.name}`} kind="Voice" link={link} />
        ))}
        {sms.data?.results.length === 0 && <Text c="dimmed">SMS: no link has been used yet.</Text>}
        {isOperator && <Processes />}
      </Stack>
    </Section>
  );
}

/** Which processes serve this installation, and on which hosts; for whoever runs them. */
function Processes() {
  const { data } = useOne('/v2/network-status/', {}, {}, { refetchInterval: everyMs });
  return data?.processes.map(({ host, pid, version, roles, started }) => (
    <Group key={`${host} ${pid} ${started}`} align="flex-start" wrap="nowrap" gap="sm">
      <IconServer size={20} stroke={1.6} aria-hidden style={{ marginTop: 2, flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {host}, process {pid}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          Version {version}; {roles.join(', ')}; started <Time at={started} />
        </Text>
      </div>
    </Group>
  ));
}

function Row({ kind, link }: { kind: string; link: Link }) {
  const Icon = kind === 'SMS' ? IconBuildingBroadcastTower : IconPhone;
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm">
      <Icon size={20} stroke={1.6} aria-hidden style={{ marginTop: 2, flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {kind}, {link.name}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {link.sent} sent, {link.failed} failed, {link.queue_depth} waiting
          {link.since && (
            <>
              ; {sayState(link.state)} <Time at={link.since} />
            </>
          )}
        </Text>
        {link.last_error && (
          <Text size="xs" c="dimmed">
            Last error: {link.last_error}
          </Text>
        )}
      </div>
      <Status word={words[link.state] ?? link.state} label={labels[link.state] ?? link.state} />
    </Group>
  );
}
