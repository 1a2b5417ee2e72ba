import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { Section, Status } from '../../parts/index.ts';
import { nameOf } from '../../parts/intros/name.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { compact } from '../../parts/messages/use-senders.ts';

/** Whether a field that names templates, at any depth, names this one. */
function names(value: unknown, template: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([field, one]) => (field.endsWith('template_name') && one === template) || names(one, template),
  );
}

/** Campaigns and intros that name a template; of each the newest hundred are looked at. */
export function Usage({ template }: { template: Template }) {
  const campaigns = useList('/v2/campaigns/');
  const intros = useList('/v2/chatapp/chat-intros/', { chatapp_number: template.chatapp_number });
  const sending = campaigns.rows.filter(
    (one) => compact(one.sender) === compact(template.chatapp_number) && names(one, template.name),
  );
  const introducing = intros.rows.filter((one) => names(one, template.name));
  const partly = campaigns.hasMore || intros.hasMore;
  return (
    <Section title="Used by">
      <Stack gap="xs">
        {sending.map(({ uuid, name, status }) => (
          <Group key={uuid} gap="xs">
            <Text size="sm">Campaign</Text>
            <Anchor component={Link} href={`/campaigns/${uuid}`} size="sm">
              {name}
            </Anchor>
            <Status word={status} />
          </Group>
        ))}
        {introducing.map((intro) => (
          <Group key={intro.uuid} gap="xs">
            <Text size="sm">Intro</Text>
            <Anchor component={Link} href={`/intros/${intro.uuid}`} size="sm">
              {nameOf(intro)}
            </Anchor>
          </Group>
        ))}
        {sending.length + introducing.length === 0 && (
          <Text size="sm" c="dimmed">
            {campaigns.isLoading || intros.isLoading ? 'Loading…' : 'No campaign and no intro.'}
          </Text>
        )}
        {partly && (
          <Text size="xs" c="dimmed">
            Of the newest hundred campaigns and the newest hundred intros of its number.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
