import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useOne } from '../../../api/index.ts';
import { Loaded, Page, RemoveButton, Stat } from '../../../parts/index.ts';
import { LinkState, LinkStateSection, sayMs } from '../link-state.tsx';
import { SipTrunkForm } from './form.tsx';
import { sipTrunksTrail } from './new.tsx';
import { useTrunkStatus } from './use-status.ts';

/** One trunk: how it does, and its settings. */
export function SipTrunkDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/sip-trunks/{uuid}/', { uuid });
  // What was saved begins a new form, without the password that was typed.
  const [saved, setSaved] = useState<Schema<'SipTrunk'>>();
  const live = useTrunkStatus(query.data?.name);
  const back = () => navigate('/settings/sip-trunks');
  return (
    <Loaded query={query} what="trunk">
      {(trunk) => (
        <Page
          title={trunk.name}
          aside={<LinkState state={trunk.enabled ? live?.state : 'DISABLED'} />}
          trail={sipTrunksTrail}
          actions={
            <RemoveButton
              path="/v2/sip-trunks/{uuid}/"
              uuid={uuid}
              what={`the trunk “${trunk.name}”`}
              text="Calls no longer come or go by it. Without another trunk, calls stay in the sandbox."
              back="/settings/sip-trunks"
              invalidates={['/v2/network-status/voice/']}
            />
          }
        >
          <Stack>
            <LinkStateSection live={live} what="Calls" latency={sayMs(live?.latency_ms ?? null)}>
              <Stat label="Under way" value={live?.calls ?? 0} hint="legs of calls" />
            </LinkStateSection>
            <SipTrunkForm key={saved?.modified} trunk={saved ?? trunk} onDone={setSaved} onCancel={back} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}
