import { useOne } from '../../../api/index.ts';
import { Loaded, Page } from '../../../parts/index.ts';
import { isLive } from './shares.ts';
import { Wizard } from './wizard.tsx';

/** Makes a campaign, step by step; `?from=` begins with a copy of another. */
export function NewCampaign() {
  const from = new URLSearchParams(location.search).get('from');
  const original = useOne('/v2/campaigns/{uuid}/', { uuid: from ?? '' }, {}, { enabled: from !== null });
  const page = (wizard: React.ReactNode) => (
    <Page
      title="New campaign"
      description="Nothing is sent before you launch it."
      trail={[{ title: 'Campaigns', href: '/campaigns' }]}
    >
      {wizard}
    </Page>
  );
  if (from === null) return page(<Wizard />);
  return (
    <Loaded query={original} what="campaign">
      {(campaign) => page(<Wizard copyOf={{ ...campaign, name: `${campaign.name} (copy)`, send_at: null }} />)}
    </Loaded>
  );
}

/** Changes a campaign. */
export function EditCampaign({ uuid }: { uuid: string }) {
  const query = useOne('/v2/campaigns/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="campaign">
      {(campaign) => (
        <Page
          title={`Edit ${campaign.name}`}
          {...(isLive(campaign.status) && {
            description: 'The launch that is under way goes on as it was; changes affect the next one.',
          })}
          trail={[
            { title: 'Campaigns', href: '/campaigns' },
            { title: campaign.name, href: `/campaigns/${uuid}` },
          ]}
        >
          <Wizard campaign={campaign} />
        </Page>
      )}
    </Loaded>
  );
}
