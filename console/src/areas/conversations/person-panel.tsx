import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { May, Phone, Time } from '../../parts/index.ts';
import classes from './inbox.module.css';
import { OptOutState } from './opt-out-state.tsx';
import type { Pair } from './types.ts';
import { useContact } from './use-contact.ts';

/** Who the person is: contact, leads, opt-out. */
export function PersonPanel({ pair, shown }: { pair: Pair; shown: boolean }) {
  const { person } = pair;
  const isNumber = /^\+?\d{6,}$/.test(person);
  const { contact, isLoading } = useContact(person);
  const leads = useList('/v2/chatapp/leads/', { number: person }, { pageSize: 5, enabled: isNumber });
  return (
    <aside className={classes['panel']} data-shown={shown || undefined} aria-label="About this person">
      <Part title="Contact">
        {isLoading ? (
          <Skeleton h={40} />
        ) : contact ? (
          <Stack gap={2}>
            <Anchor component={Link} href={`/contacts/${contact.uuid}`} size="sm" fw={600}>
              {contact.name || contact.phone_number}
            </Anchor>
            <Text component="div" size="sm">
              <Phone number={contact.phone_number} />
            </Text>
            <Pairs data={contact.attributes} />
          </Stack>
        ) : (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              Not a contact yet.
            </Text>
            {isNumber && (
              <May scope="contacts:write">
                <Group>
                  <Button
                    component={Link}
                    href={`/contacts/new?phone_number=${encodeURIComponent(person)}`}
                    size="xs"
                    variant="default"
                  >
                    Add contact
                  </Button>
                </Group>
              </May>
            )}
          </Stack>
        )}
      </Part>
      <Part title="Opt-out">
        <OptOutState person={person} />
      </Part>
      <Part title="Leads">
        {leads.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            {leads.isLoading ? 'Loading…' : 'No lead has this number.'}
          </Text>
        )}
        {leads.rows.map((lead) => (
          <Stack key={lead.uuid} gap={2} mb="xs">
            <Text size="sm" fw={600}>
              {lead.name || 'No name'}
            </Text>
            <Text component="div" size="xs" c="dimmed">
              {lead.source && `${lead.source}, `}
              <Time at={lead.created} />
            </Text>
            <Pairs data={lead.data} />
            {lead.chat_intro && (
              <Anchor component={Link} href={`/intros/${lead.chat_intro}`} size="xs">
                Intro
              </Anchor>
            )}
          </Stack>
        ))}
      </Part>
      <Part title="More">
        <Anchor component={Link} href={`/messages?q=${encodeURIComponent(person.replaceAll(/\D/g, ''))}`} size="sm">
          All messages with this number
        </Anchor>
      </Part>
    </aside>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={3} size="h6" mb={6}>
      {title}
    </Title>
    {children}
  </section>
);

const Pairs = ({ data }: { data: Record<string, unknown> }) => (
  <dl className={classes['pairs']}>
    {Object.entries(data)
      .slice(0, 12)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
        </div>
      ))}
  </dl>
);
