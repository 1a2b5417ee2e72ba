import { useOne } from '../../../api/index.ts';
import { LinkPage } from '../link-page.tsx';
import { LinkStateSection, sayMs } from '../link-state.tsx';
import { SmsLinkForm } from './form.tsx';
import { smsLinksTrail } from './new.tsx';
import { useSmsStatus } from './use-status.ts';

/** One link: how it does, and its settings. */
export function SmsLinkDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/sms-links/{uuid}/', { uuid });
  const live = useSmsStatus(uuid);
  return (
    <LinkPage
      query={query}
      one="link"
      trail={smsLinksTrail}
      path="/v2/sms-links/{uuid}/"
      uuid={uuid}
      text="What is queued waits for another link. Receipts for what left by it are not received any more."
      status="/v2/network-status/sms/"
      state={live?.state}
      now={<LinkStateSection live={live} what="Parts" latency={sayMs(live?.latency_ms.p50 ?? null)} />}
      form={(props) => <SmsLinkForm {...props} />}
    />
  );
}
