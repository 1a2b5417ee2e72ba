import { Button, Grid, Menu, SegmentedControl, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconMessage, IconPencil, IconPlayerPlay, IconTrash, IconUserCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { serverUrl, useAct, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { confirm, Json, Loaded, May, MoreMenu, Page, Section, usePhoneFormat } from '../../parts/index.ts';
import { formOf, type Intro } from '../../parts/intros/form.ts';
import { FunnelBars } from '../../parts/intros/funnel-bars.tsx';
import { codeOf, nameOf } from '../../parts/intros/name.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { Preview } from './editor/preview.tsx';
import { knownNames } from './editor/variables.ts';
import { LinkCard } from './link-card.tsx';
import { SavedWarnings } from './saved-warnings.tsx';
import { LogOfIntro } from './sessions/log.tsx';
import { Sessions } from './sessions/sessions.tsx';

const StartDialog = lateDialog(async () => (await import('./start-dialog.tsx')).StartDialog);

const spans = [
  { value: '1', label: 'Day' },
  { value: '7', label: 'Week' },
  { value: '30', label: 'Month' },
  { value: '', label: 'All' },
];
const dayMs = 86_400_000;

/** One intro: its link, how far people came, who they are, and what it says. */
export function IntroDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid });
  useLiveRefresh(['chat_intro.'], ['/v2/chatapp/chat-intros/{uuid}/', '/v2/chatapp/chat-intro-logs/']);
  // Receipts move a funnel, too, but most of them are of other messages.
  useSlowRefresh(['message.'], ['/v2/chatapp/chat-intros/{uuid}/funnel/'], 5000);
  return (
    <Loaded query={query} what="intro">
      {(intro) => <Shown intro={intro} />}
    </Loaded>
  );
}

function Shown({ intro }: { intro: Intro }) {
  const { uuid } = intro;
  const say = usePhoneFormat();
  const [params, setParams] = useSearchParams();
  const days = params.get('days') ?? '';
  // Whole minutes, or each drawing would ask for a time of its own.
  const since = useMemo(
    () => (days ? new Date(Math.floor(Date.now() / 60_000) * 60_000 - Number(days) * dayMs).toISOString() : ''),
    [days],
  );
  const funnel = useOne('/v2/chatapp/chat-intros/{uuid}/funnel/', { uuid }, since ? { created_after: since } : {});
  const form = formOf(intro);
  return (
    <Page
      title={nameOf(intro)}
      description={`${say(intro.chatapp_number)}${intro.reference_id ? ` · ${intro.reference_id}` : ''}`}
      trail={[{ title: 'Intros', href: '/intros' }]}
      actions={<Actions intro={intro} />}
    >
      <SavedWarnings uuid={uuid} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Section
              title="Funnel"
              actions={
                <SegmentedControl
                  size="xs"
                  aria-label="Time"
                  data={spans}
                  value={days}
                  onChange={(value) => setParams(value ? { days: value } : {}, { replace: true })}
                />
              }
            >
              <FunnelBars funnel={funnel.data} />
            </Section>
            <Tabs defaultValue="sessions" keepMounted={false}>
              <Tabs.List mb="md">
                <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
                <Tabs.Tab value="log">Log</Tabs.Tab>
                <Tabs.Tab value="data">Data</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="sessions">
                <Sessions uuid={uuid} since={since} />
              </Tabs.Panel>
              <Tabs.Panel value="log">
                <LogOfIntro uuid={uuid} />
              </Tabs.Panel>
              <Tabs.Panel value="data">
                <Section title="JSON">
                  <Json value={intro} title="Chat intro" open />
                </Section>
              </Tabs.Panel>
            </Tabs>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <LinkCard intro={intro} />
            <Preview form={form} names={knownNames(form, serverUrl, codeOf(intro.chat_link))} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Actions({ intro }: { intro: Intro }) {
  const { uuid } = intro;
  const [, navigate] = useLocation();
  const [opened, { open, close }] = useDisclosure();
  const remove = useAct('delete', '/v2/chatapp/chat-intros/{uuid}/', {
    invalidates: ['/v2/chatapp/chat-intros/funnel/'],
    done: 'Deleted.',
    onDone: () => navigate('/intros'),
  });
  const ask = async () => {
    const text = 'Its link stops working immediately and no more notifications are sent. The log is kept.';
    if (await confirm({ title: 'Delete this intro?', text, button: 'Delete' })) remove.mutate({ params: { uuid } });
  };
  return (
    <>
      <MoreMenu loading={remove.isPending}>
        <May>
          <Menu.Item component={Link} href={`/intros/new?copy=${uuid}`} leftSection={<IconCopy size={16} />}>
            Make a copy
          </Menu.Item>
        </May>
        <Menu.Item component={Link} href={`/messages?chat_intro=${uuid}`} leftSection={<IconMessage size={16} />}>
          Messages of this intro
        </Menu.Item>
        <Menu.Item component={Link} href={`/leads?chat_intro=${uuid}`} leftSection={<IconUserCheck size={16} />}>
          Leads of this intro
        </Menu.Item>
        <May>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void ask()}>
            Delete
          </Menu.Item>
        </May>
      </MoreMenu>
      <May>
        <Button variant="default" leftSection={<IconPlayerPlay size={16} />} onClick={open}>
          Start for a lead
        </Button>
        <Button component={Link} href={`/intros/${uuid}/edit`} leftSection={<IconPencil size={16} />}>
          Edit
        </Button>
      </May>
      <StartDialog intro={intro} opened={opened} onClose={close} />
    </>
  );
}
