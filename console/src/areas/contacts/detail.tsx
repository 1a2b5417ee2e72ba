import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { languageName } from '../../parts/fields/language.ts';
import { useAllLists } from '../../parts/fields/use-all-lists.ts';
import { Facts, Id, Loaded, May, Page, Phone, RemoveButton, Section, Time } from '../../parts/index.ts';
import { WhenSeen } from '../../parts/page/when-seen.tsx';
import { ContactMessages } from './contact-messages.tsx';
import { ContactOptOuts } from './contact-opt-outs.tsx';
import { Reach } from './reach.tsx';

/** One person: what is known, which lists they are on, what was written, whether they opted out. */
export function ContactDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/contacts/{uuid}/', { uuid });
  useLiveRefresh(['contact.', 'list.'], ['/v2/contacts/{uuid}/']);
  return (
    <Loaded query={query} what="contact">
      {(contact) => (
        <Page
          title={contact.name || contact.phone_number}
          trail={[{ title: 'Contacts', href: '/contacts' }]}
          actions={
            <>
              <Reach number={contact.phone_number} />
              <RemoveButton
                path="/v2/contacts/{uuid}/"
                uuid={uuid}
                what={contact.name || contact.phone_number}
                text="The contact is removed from all lists. Messages and opt-outs are kept."
                back="/contacts"
                invalidates={['/v2/lists/']}
              />
              <May>
                <Button component={Link} href={`/contacts/${uuid}/edit`} leftSection={<IconPencil size={16} />}>
                  Edit
                </Button>
              </May>
            </>
          }
        >
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Section title="Person">
                <Facts
                  rows={[
                    ['Number', <Phone key="number" number={contact.phone_number} />],
                    ['Name', contact.name || '–'],
                    ['Language', contact.language_code ? languageName(contact.language_code) : 'Not known'],
                    ['Time zone', contact.time_zone || 'From the number'],
                    ['Lists', <Lists key="lists" on={contact.lists} />],
                    ['Created', <Time key="created" at={contact.created} />],
                    ['Changed', <Time key="modified" at={contact.modified} />],
                    ['Id', <Id key="id" id={uuid} />],
                  ]}
                />
              </Section>
              <Section title="Attributes">
                <Attributes attributes={contact.attributes} />
              </Section>
            </SimpleGrid>
            <ContactOptOuts number={contact.phone_number} />
            <WhenSeen height={320}>
              <ContactMessages number={contact.phone_number} />
            </WhenSeen>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Attributes({ attributes }: { attributes: Schema<'Contact'>['attributes'] }) {
  const rows = Object.entries(attributes).map(([name, value]) => [name, sayValue(value)] as const);
  if (rows.length > 0) return <Facts rows={rows} />;
  return <Text c="dimmed">No attributes. Edit the contact or upload a file to add some.</Text>;
}

const sayValue = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value));

function Lists({ on }: { on: string[] }) {
  const lists = useAllLists().filter(({ uuid }) => on.includes(uuid));
  if (on.length === 0) return <>Not on a list</>;
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
