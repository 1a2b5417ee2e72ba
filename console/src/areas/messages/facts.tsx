import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { textOf } from '../../api/index.ts';
import { Facts, Id, Json, Phone, Section, Time, useContactRow } from '../../parts/index.ts';
import { type Message, personOf, types } from '../../parts/messages/types.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';

/** What is known of a message, and where it leads. */
export function MessageFacts({ message, definition }: { message: Message; definition: Template | undefined }) {
  const { find } = useSenders();
  const contact = useContactRow(personOf(message));
  const sender = find(message.chatapp_number);
  const { message_uuid, ...more } = message.context_data as Record<string, unknown>;
  const answered = textOf(message_uuid);
  return (
    <Section title="Details">
      <Stack gap="sm">
        <Facts
          rows={[
            contact,
            ['From', <Phone key="from" number={message.from_chatapp_number} />],
            ['To', <Phone key="to" number={message.to_chatapp_number} />],
            ['Type', types.find(({ value }) => value === message.type)?.label ?? message.type],
            sender && ['Sender', `${sender.name || 'No name'}, by ${sender.carrier}`],
            definition && [
              'Template',
              <Anchor key="template" component={Link} href={`/templates/${definition.uuid}`} size="sm">
                {definition.name}, {definition.language_code}
              </Anchor>,
            ],
            answered !== '' && [
              'Answers',
              <Anchor key="answers" component={Link} href={`/messages/${answered}`} size="sm">
                An earlier message
              </Anchor>,
            ],
            message.resent_as !== undefined && [
              'Sent again',
              <Anchor key="again" component={Link} href={`/messages/${message.resent_as}`} size="sm">
                As another message
              </Anchor>,
            ],
            ['Created', <Time key="created" at={message.created} exact />],
            ['Changed', <Time key="modified" at={message.modified} exact />],
            ['Id', <Id key="id" id={message.uuid} />],
          ]}
        />
        {Object.keys(more).length > 0 && <Json value={more} title="Attachments" />}
        {Object.keys(message.meta_data).length > 0 && <Json value={message.meta_data} title="Metadata" open />}
        <Json value={message.message_data} title="Content (JSON)" />
      </Stack>
    </Section>
  );
}
