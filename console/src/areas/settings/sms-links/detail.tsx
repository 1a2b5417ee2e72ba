import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useOne } from '../../../api/index.ts';
import { Loaded, Page, RemoveButton } from '../../../parts/index.ts';
import { LinkState, LinkStateSection, sayMs } from '../link-state.tsx';
import { SmsLinkForm } from './form.tsx';
import { smsLinksTrail } from './new.tsx';
import { useSmsStatus } from './use-status.ts';

/** One link: how it does, and its settings. */
export function SmsLinkDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/sms-links/{uuid}/', { uuid });
  // What was saved begins a new form, without the password that was typed.
  const [saved, setSaved] = useState<Schema<'SmsLink'>>();
  const live = useSmsStatus(uuid);
  const back = () => navigate('/settings/sms-links');
  return (
    <Loaded query={query} what="link">
      {(link) => (
        <Page
          title={link.name}
          aside={<LinkState state={link.enabled ? live?.state : 'DISABLED'} />}
          trail={smsLinksTrail}
          actions={
            <RemoveButton
              path="/v2/sms-links/{uuid}/"
              uuid={uuid}
              what={`the link “${link.name}”`}
              text="What is queued waits for another link. Receipts for what left by it are not received any more."
              back="/settings/sms-links"
              invalidates={['/v2/network-status/sms/']}
            />
          }
        >
          <Stack>
            <LinkStateSection live={live} what="Parts" latency={sayMs(live?.latency_ms.p50 ?? null)} />
            <SmsLinkForm key={saved?.modified} link={saved ?? link} onDone={setSaved} onCancel={back} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}
