import { Code, Group, List, Text } from '@mantine/core';
import { serverUrl } from '../../../api/index.ts';
import { Copy, Section } from '../../../parts/index.ts';

const fields =
  'messages, user_preferences, message_template_status_update, message_template_quality_update, template_category_update, phone_number_quality_update, phone_number_name_update, account_update, account_alerts, business_capability_update, security, flows';

/** How the platform is told where to call. */
export function WebhookSteps({ path }: { path: string }) {
  const address = `${serverUrl}${path}`;
  return (
    <Section title="Let the platform call" description="Without this, neither receipts nor replies arrive.">
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          In the app on the platform, under webhooks, enter this callback address and your verify token. It must be
          reachable from outside by HTTPS:
          <Group gap={4} wrap="nowrap" mt={4}>
            <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code>
            <Copy value={address} what="the address" />
          </Group>
        </List.Item>
        <List.Item>
          Subscribe these fields:
          <Text size="sm" c="dimmed">
            {fields}
          </Text>
        </List.Item>
        <List.Item>Attach the app to the business account (docs/cloud-api.md has the one call that does it).</List.Item>
      </List>
    </Section>
  );
}
