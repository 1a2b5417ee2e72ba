import { Button, Grid, Menu, Stack, Tabs } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRocket } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useAct, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { usePolling } from '../../parts/campaigns/use-polling.ts';
import { confirm, Loaded, MoreMenu, Page, Section, Status } from '../../parts/index.ts';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { useControls, useLaunch } from './launch/use-launch.ts';
import type { Campaign } from './wizard/form.ts';
import { isLive } from './wizard/shares.ts';

const { Launch } = pagesOf(() => import('./launch/launch.tsx'));
const { Launches } = pagesOf(() => import('./launch/launches.tsx'));
const { Settings } = pagesOf(() => import('./settings.tsx'));
const { ServerPreview } = pagesOf(() => import('./wizard/content/server-preview.tsx'));

/** One campaign: how its newest launch goes, what it sends, its earlier launches. */
export function CampaignDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/campaigns/{uuid}/', { uuid });
  useLiveRefresh(['campaign.'], ['/v2/campaigns/{uuid}/', '/v2/campaign-logs/']);
  usePolling(query.data?.status === 'RUNNING', ['/v2/campaigns/{uuid}/'], 5000);
  return (
    <Loaded query={query} what="campaign">
      {(campaign) => <Shown campaign={campaign} />}
    </Loaded>
  );
}

function Shown({ campaign }: { campaign: Campaign }) {
  const { campaign_log: log } = campaign;
  return (
    <Page
      title={campaign.name}
      aside={<Status word={campaign.status} />}
      trail={[{ title: 'Campaigns', href: '/campaigns' }]}
      actions={<Actions campaign={campaign} />}
    >
      {/* With the first launch it begins anew, with that launch in sight. */}
      <Tabs key={log ? 'launched' : 'not-yet'} defaultValue={log ? 'launch' : 'message'} keepMounted={false}>
        {log && (
          <Tabs.List mb="md">
            <Tabs.Tab value="launch">Newest launch</Tabs.Tab>
            <Tabs.Tab value="message">Message and settings</Tabs.Tab>
            <Tabs.Tab value="launches">All launches</Tabs.Tab>
          </Tabs.List>
        )}
        {log && (
          <Tabs.Panel value="launch">
            <Later>
              <Launch key={log} uuid={log} />
            </Later>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="message">
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Section title="Settings">
                <Later>
                  <Settings campaign={campaign} />
                </Later>
              </Section>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Later>
                <Stack>
                  <ServerPreview campaign={campaign} />
                </Stack>
              </Later>
            </Grid.Col>
          </Grid>
        </Tabs.Panel>
        <Tabs.Panel value="launches">
          <Later>
            <Launches campaign={campaign.uuid} />
          </Later>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { uuid, status, name } = campaign;
  const [, navigate] = useLocation();
  const launch = useLaunch(campaign);
  const controls = useControls(campaign);
  const remove = useAct('delete', '/v2/campaigns/{uuid}/', {
    invalidates: ['/v2/campaigns/'],
    done: 'Deleted.',
    onDone: () => navigate('/campaigns'),
  });
  const askRemove = async () => {
    const text = 'Its launches and messages stay.';
    if (await confirm({ title: `Delete “${name}”?`, text, button: 'Delete' })) remove.mutate({ params: { uuid } });
  };
  const live = isLive(status);
  if (!remove.may) return null;
  return (
    <>
      <MoreMenu>
        <Menu.Item component={Link} href={`/campaigns/new?from=${uuid}`}>
          Copy
        </Menu.Item>
        <Menu.Item color="red" disabled={live} onClick={() => void askRemove()}>
          Delete
        </Menu.Item>
      </MoreMenu>
      <Button variant="default" component={Link} href={`/campaigns/${uuid}/edit`}>
        Edit
      </Button>
      {live && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconPlayerStop size={16} />}
          disabled={controls.isPending}
          onClick={controls.cancel}
        >
          Cancel
        </Button>
      )}
      {(status === 'RUNNING' || status === 'SCHEDULED') && (
        <Button leftSection={<IconPlayerPause size={16} />} loading={controls.isPending} onClick={controls.pause}>
          Pause
        </Button>
      )}
      {status === 'PAUSED' && (
        <Button leftSection={<IconPlayerPlay size={16} />} loading={controls.isPending} onClick={controls.resume}>
          Resume
        </Button>
      )}
      {!live && (
        <Button leftSection={<IconRocket size={16} />} loading={launch.isPending} onClick={launch.ask}>
          {status === 'DRAFT' ? 'Launch' : 'Launch again'}
        </Button>
      )}
    </>
  );
}
