import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { confirm, Loaded, Page } from '../../../parts/index.ts';
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
  const remove = useAct('delete', '/v2/sms-links/{uuid}/', {
    invalidates: ['/v2/sms-links/', '/v2/network-status/sms/'],
    done: 'Deleted.',
    onDone: back,
  });
  const ask = async (name: string) => {
    const text = 'What is queued waits for another link. Receipts for what left by it are not received any more.';
    if (await confirm({ title: `Delete the link “${name}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="link">
      {(link) => (
        <Page
          title={link.name}
          aside={<LinkState state={link.enabled ? live?.state : 'DISABLED'} />}
          trail={smsLinksTrail}
          actions={
            <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask(link.name)}>
              Delete
            </Button>
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
