import { Anchor, Tabs, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Section, Status, Time } from '../../parts/index.ts';
import { summaryOf } from '../../parts/messages/summary.ts';

type Message = Row<'/v2/chatapp/messages/'>;
type Sms = Row<'/v2/sms-records/'>;

const sayDirection = (direction: string): string => (direction === 'INBOUND' ? 'From them' : 'To them');

const messageColumns: Column<Message>[] = [
  { title: 'When', width: '8rem', render: (row) => <Time at={row.created} /> },
  { title: 'Direction', width: '7rem', render: (row) => sayDirection(row.direction) },
  { title: 'Message', width: 'minmax(12rem, 3fr)', important: true, render: (row) => summaryOf(row) },
  { title: 'Status', width: '8rem', important: true, render: (row) => <Status word={row.status} /> },
];
const smsColumns: Column<Sms>[] = [
  { title: 'When', width: '8rem', render: (row) => <Time at={row.created} /> },
  { title: 'Direction', width: '7rem', render: (row) => sayDirection(row.direction) },
  { title: 'Text', width: 'minmax(12rem, 3fr)', important: true, render: (row) => row.text },
  { title: 'Status', width: '8rem', important: true, render: (row) => <Status word={row.status} /> },
];

/** Chat messages and SMS from and to one number. */
export function ContactMessages({ number }: { number: string }) {
  // First digits of either number, which is the whole number here; one without its country only the API can read.
  const international = /^\s*(\+|00)/.test(number);
  const digits = number.replaceAll(/\D/g, '').replace(/^00/, '');
  const messages = useList('/v2/chatapp/messages/', international ? { q: digits } : { to: number });
  const sms = useList('/v2/sms-records/', { number });
  useLiveRefresh(['message.', 'sms.', 'chatapp.'], ['/v2/chatapp/messages/', '/v2/sms-records/']);
  return (
    <Section title="Messages">
      <Tabs defaultValue="chat" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="chat">Chat{messages.count !== undefined && ` (${messages.count})`}</Tabs.Tab>
          <Tabs.Tab value="sms">SMS{sms.count !== undefined && ` (${sms.count})`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="chat">
          <DataTable
            label="Chat messages"
            list={messages}
            columns={messageColumns}
            maxHeight="24rem"
            href={(row) => `/messages/${row.uuid}`}
            empty={<EmptyState title="No chat messages with this number." />}
          />
          {!international && (
            <Text size="xs" c="dimmed" mt="xs">
              Messages to this number. Enter the number with its country code to see messages from it, too.{' '}
              <Anchor underline="always" component={Link} href="/messages" size="xs">
                All messages
              </Anchor>
            </Text>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="sms">
          <DataTable
            label="SMS"
            list={sms}
            columns={smsColumns}
            maxHeight="24rem"
            href={(row) => `/sms/${row.uuid}`}
            empty={<EmptyState title="No SMS with this number." />}
          />
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}
