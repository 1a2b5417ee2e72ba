import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Schema } from '../../api/index.ts';
import { Status } from '../../parts/index.ts';
import { Bubble, Words } from './bubble.tsx';
import { interactiveFormOf } from './interactive-form.ts';
import { Picture } from './picture.tsx';
import { InteractiveBubble } from './preview-interactive.tsx';
import { TemplateBubble } from './preview-template.tsx';
import { templateFormOf } from './template-form.ts';
import { useTemplates } from './use-templates.ts';

type Message = Schema<'Message'>;
type Fields = Record<string, unknown>;
const inside = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A message as a bubble, with its status and a link to all that is known of it; `end` puts it to the right. */
export function MessageBubble({ message, end = false }: { message: Message; end?: boolean }) {
  const outbound = message.direction === 'OUTBOUND';
  return (
    <Stack gap={4} align={end ? 'flex-end' : 'flex-start'}>
      <Bubble side={outbound ? 'out' : 'in'}>
        <Content message={message} />
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

function Content({ message }: { message: Message }) {
  const data = message.message_data as Fields;
  const templates = useTemplates(message.type === 'TEMPLATE' ? message.chatapp_number : '');
  const answer = answerIn(inside(data['interactive']));
  if (answer) return <Words>{answer}</Words>;
  switch (message.type) {
    case 'TEXT':
      return <Words>{textOf(inside(data['text'])['body'])}</Words>;
    case 'INTERACTIVE':
      return <InteractiveBubble value={interactiveFormOf(inside(data['interactive']), 'INTERACTIVE')} />;
    case 'TEMPLATE': {
      const name = textOf(data['template_name']);
      const value = templateFormOf(name, (data['components'] ?? []) as Schema<'TemplateComponent'>[]);
      return <TemplateBubble value={value} definition={templates.find(name)} />;
    }
    case 'LOCATION':
      return (
        <Words>
          <IconMapPin size={16} aria-hidden /> A location
        </Words>
      );
    default:
      return <Other type={message.type} data={data} />;
  }
}

/** What somebody tapped, chose or filled in. */
function answerIn(interactive: Fields): string | undefined {
  const reply = inside(interactive['button_reply'] ?? interactive['list_reply']);
  if (reply['title']) return textOf(reply['title']);
  return interactive['nfm_reply'] ? 'Answers of a flow' : undefined;
}

function Other({ type, data }: { type: string; data: Fields }) {
  const media = inside(data['media'] ?? data[type.toLowerCase()]);
  const caption = textOf(media['caption']);
  const kind = type === 'IMAGE' ? 'image' : type === 'VIDEO' ? 'video' : 'document';
  const isFile = ['IMAGE', 'VIDEO', 'DOCUMENT', 'AUDIO', 'STICKER'].includes(type);
  return (
    <>
      {isFile && <Picture kind={kind} uuid={textOf(media['media_uuid'])} url={textOf(media['url'])} />}
      {(caption || !isFile) && <Words>{caption || textOf(inside(data['button'])['text']) || type.toLowerCase()}</Words>}
    </>
  );
}
