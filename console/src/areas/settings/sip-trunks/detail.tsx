import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { confirm, Loaded, Page, Stat } from '../../../parts/index.ts';
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
  const remove = useAct('delete', '/v2/sip-trunks/{uuid}/', {
    invalidates: ['/v2/sip-trunks/', '/v2/network-status/voice/'],
    done: 'Deleted.',
    onDone: back,
  });
  const ask = async (name: string) => {
    const text = 'Calls no longer come or go by it. Without another trunk, calls stay in the sandbox.';
    if (await confirm({ title: `Delete the trunk “${name}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="trunk">
      {(trunk) => (
        <Page
          title={trunk.name}
          aside={<LinkState state={trunk.enabled ? live?.state : 'DISABLED'} />}
          trail={sipTrunksTrail}
          actions={
            <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask(trunk.name)}>
              Delete
            </Button>
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
