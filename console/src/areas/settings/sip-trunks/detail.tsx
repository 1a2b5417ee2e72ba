import { useOne } from '../../../api/index.ts';
import { Stat } from '../../../parts/index.ts';
import { LinkPage } from '../link-page.tsx';
import { LinkStateSection, sayMs } from '../link-state.tsx';
import { SipTrunkForm } from './form.tsx';
import { sipTrunksTrail } from './new.tsx';
import { useTrunkStatus } from './use-status.ts';

/** One trunk: how it does, and its settings. */
export function SipTrunkDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/sip-trunks/{uuid}/', { uuid });
  const live = useTrunkStatus(query.data?.name);
  return (
    <LinkPage
      query={query}
      one="trunk"
      trail={sipTrunksTrail}
      path="/v2/sip-trunks/{uuid}/"
      uuid={uuid}
      text="Calls no longer come or go by it. Without another trunk, calls stay in the sandbox."
      status="/v2/network-status/voice/"
      state={live?.state}
      now={
        <LinkStateSection live={live} what="Calls" latency={sayMs(live?.latency_ms ?? null)}>
          <Stat label="Under way" value={live?.calls ?? 0} hint="legs of calls" />
        </LinkStateSection>
      }
      form={({ link, ...rest }) => <SipTrunkForm trunk={link} {...rest} />}
    />
  );
}
