import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../../../api/index.ts';
import { Copy, Phone, Section, Time } from '../../../parts/index.ts';

type Session = Schema<'ChatIntroSession'>;

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed" component="dt">
      {label}
    </Text>
    <Text size="sm" component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

const Address = ({ href, what }: { href: string; what: string }) => (
  <Group gap={4} wrap="nowrap">
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {href}
    </Anchor>
    <Copy value={href} what={what} />
  </Group>
);

const moments = [
  ['notified', 'Agent notified'],
  ['notify_failed', 'Notification failed'],
  ['notify_due', 'Next notification due'],
  ['reacted', 'Agent reacted'],
  ['connected', 'Agent connected'],
  ['aparty_connected', 'Lead connected'],
] as const;

/** What is known of a session beside its story: the lead, the links and the answers. */
export function SessionFacts({ session }: { session: Session }) {
  const variables = Object.entries(session.variables);
  return (
    <Stack gap="lg">
      <Section title="Lead">
        <Stack component="dl" gap="sm" m={0}>
          {session.aparty_name && <Fact label="Name">{session.aparty_name}</Fact>}
          <Fact label="Number">
            <Phone number={session.aparty_number} />
          </Fact>
          <Fact label="Session">{session.open ? 'Open' : 'Closed'}</Fact>
          {moments.map(
            ([name, label]) =>
              session[name] && (
                <Fact key={name} label={label}>
                  <Time at={session[name]} />
                </Fact>
              ),
          )}
        </Stack>
        <Anchor
          component={Link}
          href={`/leads/${encodeURIComponent(session.aparty_number)}`}
          size="sm"
          mt="sm"
          display="block"
        >
          All about this lead
        </Anchor>
      </Section>
      <Section title="Links">
        <Stack component="dl" gap="sm" m={0}>
          <Fact label="For the agent, to the lead">
            <Address href={session.intro_chat_link} what="the agent's link" />
          </Fact>
          {session.intro_chat_link_aparty && (
            <Fact label="For the lead, to the agent">
              <Address href={session.intro_chat_link_aparty} what="the lead's link" />
            </Fact>
          )}
        </Stack>
        <Text size="xs" c="dimmed" mt="sm">
          Opening a link counts: it connects the session.
        </Text>
      </Section>
      {variables.length > 0 && (
        <Section title="Variables">
          <Stack component="dl" gap="sm" m={0}>
            {variables.map(([name, value]) => (
              <Fact key={name} label={name}>
                {String(value)}
              </Fact>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  );
}
