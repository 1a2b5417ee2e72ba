import { Anchor, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAct } from '../../api/index.ts';
import { Pairs } from '../../parts/facts/pairs.tsx';
import { confirm, Facts, May, Status, Time, usePhoneFormat } from '../../parts/index.ts';
import { EditLead, type Lead } from './edit-dialog.tsx';
import { saySource } from './words.ts';

const hasAny = (fields: object): boolean => Object.keys(fields).length > 0;
const leadPath = '/v2/chatapp/leads/{uuid}/';

/** What a person left in one place, and what those who work on it wrote. */
export function LeadRecord({ record }: { record: Lead }) {
  const say = usePhoneFormat();
  const [opened, { open, close }] = useDisclosure();
  const remove = useAct('delete', leadPath, { invalidates: ['/v2/chatapp/leads/'], done: 'Deleted.' });
  const name = saySource(record.source) || 'No source';
  const ask = async () => {
    const text = 'Its status, notes and answers are deleted. Messages and sessions are kept.';
    const question = { title: `Delete this lead (${name})?`, text, button: 'Delete' };
    if (await confirm(question)) remove.mutate({ params: { uuid: record.uuid } });
  };
  const { session: _, ...data } = record.data;
  return (
    <article aria-label={name}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Status word={record.status} />
        </Group>
        <Group gap="xs">
          <May>
            <Button variant="default" size="xs" leftSection={<IconPencil size={15} />} onClick={open}>
              Edit
            </Button>
            <Button
              variant="light"
              color="red"
              size="xs"
              leftSection={<IconTrash size={15} />}
              loading={remove.isPending}
              onClick={() => void ask()}
            >
              Delete
            </Button>
          </May>
        </Group>
      </Group>
      <Facts
        rows={[
          ['Owner', record.owner || 'Unassigned'],
          ['Notes', record.notes && <span style={{ whiteSpace: 'pre-wrap' }}>{record.notes}</span>],
          hasAny(record.answers) && ['Answers', <Pairs key="answers" of={record.answers} />],
          hasAny(data) && ['Data', <Pairs key="data" of={data} />],
          ['Wrote to', say(record.chatapp_number)],
          [
            'Intro',
            record.chat_intro && (
              <Anchor component={Link} href={`/intros/${record.chat_intro}`} size="sm">
                Open the intro
              </Anchor>
            ),
          ],
          ['Created', <Time key="created" at={record.created} />],
          ['Changed', record.modified !== record.created && <Time at={record.modified} />],
        ]}
      />
      <EditLead record={record} opened={opened} onClose={close} />
    </article>
  );
}
