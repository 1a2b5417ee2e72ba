import { Button, Grid, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Page, Phone, Section, usePhoneFormat } from '../../parts/index.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { IntrosOfLead } from './intros.tsx';
import { MessagesOfLead } from './messages.tsx';
import { LeadRecord } from './record.tsx';

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
            <Section title="Lead records" description="One record per intro or form.">
              {!records.isLoading && records.rows.length === 0 && <Text c="dimmed">No lead has this number.</Text>}
              <Stack gap="xl">
                {records.rows.map((record) => (
                  <LeadRecord key={record.uuid} record={record} />
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
