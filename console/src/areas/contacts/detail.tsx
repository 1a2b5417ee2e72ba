import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Schema, useAct, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Copy, confirm, Loaded, Page, Phone, Section, Time } from '../../parts/index.ts';
import { useAllLists } from '../lists/use-all-lists.ts';
import { ContactMessages } from './contact-messages.tsx';
import { ContactOptOuts } from './contact-opt-outs.tsx';
import { Facts } from './facts.tsx';

/** One person: what is known, which lists they are on, what was written, whether they opted out. */
export function ContactDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/contacts/{uuid}/', { uuid });
  useLiveRefresh(['contact.', 'list.'], ['/v2/contacts/{uuid}/']);
  const remove = useAct('delete', '/v2/contacts/{uuid}/', {
    invalidates: ['/v2/contacts/', '/v2/lists/'],
    done: 'Deleted.',
    onDone: () => navigate('/contacts'),
  });
  const ask = async (name: string) => {
    const text = 'They are taken off their lists. Messages stay, and so does an opt-out.';
    if (await confirm({ title: `Delete ${name}?`, text, button: 'Delete' })) remove.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="contact">
      {(contact) => (
        <Page
          title={contact.name || contact.phone_number}
          trail={[{ title: 'Contacts', href: '/contacts' }]}
          actions={
            <>
              <Button
                color="red"
                variant="light"
                loading={remove.isPending}
                onClick={() => void ask(contact.name || contact.phone_number)}
              >
                Delete
              </Button>
              <Button component={Link} href={`/contacts/${uuid}/edit`} leftSection={<IconPencil size={16} />}>
                Edit
              </Button>
            </>
          }
        >
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Section title="Person">
                <Facts
                  label="Person"
                  rows={[
                    ['Number', <Phone key="number" number={contact.phone_number} />],
                    ['Name', contact.name || '–'],
                    ['Language', contact.language_code || 'Not known'],
                    ['Time zone', contact.time_zone || 'That of the number'],
                    ['Lists', <Lists key="lists" on={contact.lists} />],
                    ['Created', <Time key="created" at={contact.created} />],
                    ['Changed', <Time key="modified" at={contact.modified} />],
                    [
                      'Id',
                      <Group key="id" gap={4} wrap="nowrap">
                        <Text size="sm" ff="monospace" truncate>
                          {uuid}
                        </Text>
                        <Copy value={uuid} what="the id" />
                      </Group>,
                    ],
                  ]}
                />
              </Section>
              <Section title="Attributes">
                <Attributes attributes={contact.attributes} />
              </Section>
            </SimpleGrid>
            <ContactOptOuts number={contact.phone_number} />
            <ContactMessages number={contact.phone_number} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Attributes({ attributes }: { attributes: Schema<'Contact'>['attributes'] }) {
  const rows = Object.entries(attributes).map(([name, value]) => [name, sayValue(value)] as const);
  if (rows.length > 0) return <Facts label="Attributes" rows={rows} />;
  return <Text c="dimmed">None. Edit the contact to add some, or upload them with a file.</Text>;
}

const sayValue = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value));

function Lists({ on }: { on: string[] }) {
  const lists = useAllLists().filter(({ uuid }) => on.includes(uuid));
  if (on.length === 0) return <>On no list</>;
  return (
    <Group gap="xs">
      {lists.map(({ uuid, name }) => (
        <Anchor key={uuid} component={Link} href={`/lists/${uuid}`} size="sm">
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
