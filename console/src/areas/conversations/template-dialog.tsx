import { Modal, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../../parts/account.tsx';
import { ApiForm } from '../../parts/index.ts';
import { blankDraft } from '../../parts/messages/draft.ts';
import { DraftPreview } from '../../parts/messages/draft-preview.tsx';
import { sendDraft } from '../../parts/messages/send.ts';
import { TemplateFields } from '../../parts/messages/template-fields.tsx';
import type { Pair } from './types.ts';

interface TemplateDialogProps {
  pair: Pair;
  opened: boolean;
  close(): void;
}

/** Chooses a template, fills it, sends it. */
export const TemplateDialog = ({ pair, opened, close }: TemplateDialogProps) => (
  <Modal opened={opened} onClose={close} title="Send a template" size="xl">
    <Fields pair={pair} close={close} />
  </Modal>
);

function Fields({ pair, close }: Omit<TemplateDialogProps, 'opened'>) {
  const { timeZone } = useHere();
  const [initial] = useState(() =>
    blankDraft({ type: 'TEMPLATE', chatapp_number: pair.sender, to_chatapp_number: pair.person }),
  );
  const [draft, setDraft] = useState(initial);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <ApiForm
        initialValues={initial}
        submit={(values) => sendDraft(values, timeZone)}
        button="Send"
        done="Accepted."
        invalidates={['/v2/chatapp/messages/', '/v2/chatapp/conversations/']}
        onDone={close}
        onCancel={close}
        onValues={setDraft}
      >
        {(form) => (
          <Stack>
            <TemplateFields form={form} />
          </Stack>
        )}
      </ApiForm>
      <DraftPreview draft={draft} />
    </SimpleGrid>
  );
}
