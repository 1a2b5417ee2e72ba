import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAct, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { confirm, Section, Story } from '../../parts/index.ts';
import { optOutSteps } from '../../parts/opt-outs/steps.ts';
import { sayChannel } from '../../parts/opt-outs/words.ts';

/** Whether somebody has opted out now, and every time they did or came back. */
export function ContactOptOuts({ number }: { number: string }) {
  const now = useList('/v2/opt-outs/', { number });
  const events = useList('/v2/opt-out-events/', { number });
  useLiveRefresh(['optout.'], ['/v2/opt-outs/', '/v2/opt-out-events/']);
  const optOut = useAct('post', '/v2/opt-outs/', { invalidates: ['/v2/opt-out'], done: 'Opted out.' });
  const ask = async () => {
    const text = 'They get no messages, SMS or calls from you until they opt in again.';
    const yes = await confirm({ title: `Opt ${number} out?`, text, button: 'Opt out' });
    if (yes) optOut.mutate({ body: { phone_number: number, channel: 'ALL', text: 'Entered in the console' } });
  };
  return (
    <Section
      title="Opt-out"
      actions={
        !now.isLoading &&
        now.rows.length === 0 &&
        optOut.may && (
          <Button variant="default" size="xs" loading={optOut.isPending} onClick={() => void ask()}>
            Opt out
          </Button>
        )
      }
    >
      {now.rows.map((row) => (
        <Alert key={row.uuid} color="orange" icon={<IconBan size={18} />} mb="sm">
          <Group gap="xs">
            <Text size="sm">Opted out of {sayChannel(row.channel)}.</Text>
            <Anchor c="inherit" underline="always" component={Link} href={`/opt-outs/${row.uuid}`} size="sm">
              View record
            </Anchor>
          </Group>
        </Alert>
      ))}
      {!events.isLoading && events.rows.length === 0 ? (
        <Text c="dimmed">Never opted out.</Text>
      ) : (
        <Story steps={optOutSteps(events.rows)} loading={events.isLoading} />
      )}
    </Section>
  );
}
