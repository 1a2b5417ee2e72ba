import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Page, Phone, Section, Time, usePhoneFormat } from '../../parts/index.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { IntrosOfLead } from './intros.tsx';
import { MessagesOfLead } from './messages.tsx';

type Lead = Row<'/v2/chatapp/leads/'>;

/** All that is known of a person: what they left, the intros they met, and what was written. */
export function LeadDetail({ number }: { number: string }) {
  const say = usePhoneFormat();
  const records = useList('/v2/chatapp/leads/', { number });
  useLiveRefresh(['lead.'], ['/v2/chatapp/leads/']);
  const name = records.rows.find((row) => row.name !== '')?.name;
  const from = records.rows[0]?.chatapp_number ?? '';
  const writeTo = `/messages/new?${new URLSearchParams({ to: number, from })}`;
  if (records.error?.status === 400) return <NotFound what="lead" />;
  return (
    <Page
      title={name ?? say(number)}
      description={<Phone number={number} />}
      trail={[{ title: 'Leads', href: '/leads' }]}
      actions={
        <Button component={Link} href={writeTo} variant="default" leftSection={<IconSend size={17} />}>
          Write a message
        </Button>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack gap="lg">
            <IntrosOfLead number={number} />
            <Section title="What they left" description="Once for each intro or form.">
              {!records.isLoading && records.rows.length === 0 && (
                <Text c="dimmed">Nobody with this number is kept as a lead.</Text>
              )}
              <Stack gap="md">
                {records.rows.map((record) => (
                  <Record key={record.uuid} record={record} />
                ))}
              </Stack>
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <MessagesOfLead number={number} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Record({ record }: { record: Lead }) {
  const say = usePhoneFormat();
  const data = Object.entries(record.data).filter(([name]) => name !== 'session');
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {record.source || 'No source'}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <Time at={record.created} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        At {say(record.chatapp_number)}
      </Text>
      <dl style={{ margin: '0.25rem 0 0' }}>
        {data.map(([name, value]) => (
          <Text key={name} component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
            <dt style={{ display: 'inline', fontWeight: 500 }}>{name}: </dt>
            <dd style={{ display: 'inline', margin: 0 }}>{text(value)}</dd>
          </Text>
        ))}
      </dl>
      {record.chat_intro && (
        <Anchor component={Link} href={`/intros/${record.chat_intro}`} size="sm">
          Open the intro
        </Anchor>
      )}
    </div>
  );
}
