import { Alert, Anchor, Button, Grid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Schema, useAct, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import {
  confirm,
  type FactRow,
  Facts,
  Id,
  Json,
  Loaded,
  May,
  Page,
  Phone,
  Section,
  Status,
  Story,
  Time,
  useContactRow,
  usePhoneFormat,
} from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { SmsParts } from './parts.tsx';
import { smsStep } from './story.ts';

const SendDialog = lateDialog(async () => (await import('./send-dialog.tsx')).SendDialog);

type Sms = Schema<'SmsRecord'>;

/** One SMS: its text in parts, its steps, its record. */
export function SmsDetail({ uuid }: { uuid: string }) {
  const say = usePhoneFormat();
  // On a phone the title breaks between the numbers.
  const whole = (number: string) => say(number).replaceAll(' ', '\u00a0');
  const query = useOne('/v2/send-sms/{uuid}/', { uuid });
  const events = useList('/v2/events/', { subject: uuid, ordering: 'created' });
  const [opened, { open, close }] = useDisclosure();
  const cancel = useAct('delete', '/v2/send-sms/{uuid}/', {
    invalidates: ['/v2/send-sms/', '/v2/sms-records/', '/v2/events/'],
    done: 'Cancelled.',
  });
  useLiveRefresh(['sms.'], ['/v2/send-sms/{uuid}/', '/v2/events/']);
  const ask = async () => {
    const question = {
      title: 'Cancel this SMS?',
      text: 'The SMS will not be sent. Its record is kept.',
      button: 'Cancel SMS',
    };
    if (await confirm(question)) cancel.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="SMS">
      {(sms) => (
        <Page
          title={`${whole(sms.from)} → ${whole(sms.to)}`}
          trail={[{ title: 'SMS', href: '/sms' }]}
          aside={<Status word={sms.status} />}
          actions={
            <>
              <May>
                <Button variant="default" leftSection={<IconSend size={16} />} onClick={open}>
                  {sms.direction === 'INBOUND' ? 'Reply' : 'Send again as new'}
                </Button>
              </May>
              {sms.status === 'QUEUED' && cancel.may && (
                <Button color="red" variant="light" loading={cancel.isPending} onClick={() => void ask()}>
                  Cancel
                </Button>
              )}
            </>
          }
        >
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                {sms.status_description && (
                  <Alert
                    color={sms.status === 'FAILED' ? 'red' : 'blue'}
                    title={sms.status === 'FAILED' ? 'Why it failed' : 'Note'}
                  >
                    {sms.status_description}
                  </Alert>
                )}
                <Section title="Text">
                  <SmsParts sms={sms} />
                </Section>
                <Section title="Timeline">
                  <Story steps={events.rows.map(smsStep)} loading={events.isLoading} />
                </Section>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Section title="Record">
                <SmsFacts sms={sms} />
              </Section>
            </Grid.Col>
          </Grid>
          <SendDialog
            opened={opened}
            close={close}
            {...(sms.direction === 'INBOUND'
              ? { from: sms.to, to: sms.from }
              : { from: sms.from, to: sms.to, text: sms.text })}
          />
        </Page>
      )}
    </Loaded>
  );
}

function SmsFacts({ sms }: { sms: Sms }) {
  const { routed_from: routedFrom, ...meta } = sms.meta_data as Record<string, unknown>;
  const person = sms.direction === 'INBOUND' ? sms.from : sms.to;
  const contact = useContactRow(person);
  const rows: FactRow[] = [
    contact,
    ['Direction', sms.direction === 'INBOUND' ? 'Received' : 'Sent'],
    ['From', <Phone key="from" number={sms.from} />],
    ['To', <Phone key="to" number={sms.to} />],
    ['Keyword', sms.keyword],
    ['Created', <Time key="created" at={sms.created} exact />],
    ['Changed', <Time key="modified" at={sms.modified} exact />],
    [
      'With this person',
      <Anchor key="all" component={Link} href={`/sms?number=${encodeURIComponent(person)}`} size="sm">
        All SMS
      </Anchor>,
    ],
    ['Sent on from', typeof routedFrom === 'string' && <ToSms uuid={routedFrom} title="The SMS that came in" />],
    ['Sent again', sms.resent_as && <ToSms uuid={sms.resent_as} title="As another SMS" />],
    ['Id', <Id key="id" id={sms.uuid} />],
  ];
  return (
    <Stack>
      <Facts rows={rows} />
      {Object.keys(meta).length > 0 && <Json value={meta} title="Metadata" open />}
    </Stack>
  );
}

const ToSms = ({ uuid, title }: { uuid: string; title: string }) => (
  <Anchor component={Link} href={`/sms/${uuid}`} size="sm">
    {title}
  </Anchor>
);
