import { useOne } from '../../../api/index.ts';
import { Loaded, Page, Status } from '../../../parts/index.ts';
import { Launch } from './launch.tsx';

/** An earlier launch by itself; also one whose campaign is gone. */
export function LaunchPage({ campaign, uuid }: { campaign: string; uuid: string }) {
  const query = useOne('/v2/campaign-logs/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="launch">
      {(log) => (
        <Page
          title={`Launch of ${log.name}`}
          aside={<Status word={log.status} />}
          trail={[
            { title: 'Campaigns', href: '/campaigns' },
            { title: log.name, href: `/campaigns/${campaign}` },
          ]}
        >
          <Launch uuid={uuid} />
        </Page>
      )}
    </Loaded>
  );
}
