import { Button, Code, Group, Stack } from '@mantine/core';
import type { Schema } from '../../../api/index.ts';
import { OpenDialog } from '../../../parts/actions/open-dialog.tsx';
import { Facts, Id, Time } from '../../../parts/index.ts';

/** One entry of the audit log, whole. */
export const EntryDialog = ({ entry, onClose }: { entry: Schema<'AuditEntry'>; onClose(): void }) => (
  <OpenDialog onClose={onClose} title={entry.summary} size="lg">
    <Stack>
      <Facts
        rows={[
          ['Who', `${entry.actor.name} (${entry.actor.type === 'USER' ? 'user' : 'token'})`],
          ['When', <Time key="when" at={entry.created} exact />],
          ['Request', <Code key="request">{`${entry.method} ${entry.path}`}</Code>],
          ['Operation', entry.operation],
          ['Answer', entry.status],
          ['From', entry.address],
          ['Request id', <Id key="id" id={entry.request_id} what="the request id" />],
        ]}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  </OpenDialog>
);
