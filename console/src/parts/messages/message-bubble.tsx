import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Fields } from '../../api/index.ts';
import { Bubble, Content, contentView } from '../bubble/index.ts';
import { Status } from '../index.ts';
import type { Message } from './types.ts';
import { useDefinitions } from './use-definitions.ts';

/** A message as a bubble, with its status and a link to all that is known of it; `end` puts it to the right. */
export function MessageBubble({ message, end = false }: { message: Message; end?: boolean }) {
  const { find } = useDefinitions(message.chatapp_number, message.type === 'TEMPLATE');
  const data = message.message_data as Fields;
  const { template_name = '', language_code } = data as Record<string, string>;
  return (
    <Stack gap={4} align={end ? 'flex-end' : 'flex-start'}>
      <Bubble side={message.direction === 'OUTBOUND' ? 'out' : 'in'}>
        <Content view={contentView(message.type, data, find(template_name, language_code))} />
      </Bubble>
      <Group gap="xs">
        <Status word={message.status} />
        <Anchor component={Link} href={`/messages/${message.uuid}`} size="xs">
          Open the message
        </Anchor>
        {message.status_description && (
          <Text size="xs" c="dimmed">
            {message.status_description}
          </Text>
        )}
      </Group>
    </Stack>
  );
}
