import { Button, Code, Group, Modal, Stack } from '@mantine/core';
import type { Schema } from '../../../api/index.ts';
import { Copy, Time } from '../../../parts/index.ts';
import { Fact, Facts } from '../../webhooks/fact.tsx';

/** One entry of the audit log, whole. */
export const EntryDialog = ({ entry, onClose }: { entry: Schema<'AuditEntry'>; onClose(): void }) => (
  <Modal opened onClose={onClose} title={entry.summary} size="lg">
    <Stack>
      <Facts>
        <Fact label="Who">
          {entry.actor.name} ({entry.actor.type === 'USER' ? 'user' : 'token'})
        </Fact>
        <Fact label="When">
          <Time at={entry.created} exact />
        </Fact>
        <Fact label="Request">
          <Code>
            {entry.method} {entry.path}
          </Code>
        </Fact>
        <Fact label="Operation">{entry.operation}</Fact>
        <Fact label="Answer">{entry.status}</Fact>
        <Fact label="From">{entry.address}</Fact>
        <Fact label="Request id">
          <Group gap={4}>
            <Code>{entry.request_id}</Code>
            <Copy value={entry.request_id} what="the request id" />
          </Group>
        </Fact>
      </Facts>
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  </Modal>
);
