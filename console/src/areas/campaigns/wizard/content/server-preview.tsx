import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useOne } from '../../../../api/index.ts';
import { ContactPicker } from '../../../../parts/fields/contact-picker.tsx';
import { Problem } from '../../../../parts/index.ts';
import { useDefinitions } from '../../../../parts/messages/use-definitions.ts';
import { type Definition, templateFormOf } from '../../../../parts/writing/index.ts';
import type { Campaign } from '../form.ts';
import { MessagePreview } from './message-preview.tsx';
import { usePreview } from './use-preview.ts';

type Template = NonNullable<Campaign['template']>;

/** The message as it would be on somebody's phone, made by the server. */
export function ServerPreview({ campaign }: { campaign: Campaign }) {
  const [contact, setContact] = useState<string | null>(null);
  const preview = usePreview(campaign, contact);
  const templates = useDefinitions(campaign.channel === 'CHATAPP' ? campaign.sender : '');
  const { data, error } = preview;
  const person = useOne('/v2/contacts/{uuid}/', { uuid: data?.contact ?? '' }, {}, { enabled: Boolean(data?.contact) });
  return (
    <Stack gap="sm">
      <ContactPicker
        label="Preview for"
        placeholder="The first of the audience"
        value={contact}
        onChange={setContact}
      />
      {error && <Problem error={error} retry={() => void preview.refetch()} />}
      {!data && !error && <Skeleton h={180} />}
      {data && (
        <>
          {data.problem && (
            <Alert color="orange" title="This contact would be skipped">
              {data.problem}
            </Alert>
          )}
          <Drawn
            campaign={campaign}
            message={data.message}
            owner={person.data?.name || data.phone_number}
            find={templates.find}
          />
          <Group gap="xs">
            {data.segments !== null && (
              <Text size="sm" c="dimmed">
                {data.segments} SMS {data.segments === 1 ? 'part' : 'parts'}
                {data.encoding === 'UCS2' && ', Unicode'}.
              </Text>
            )}
            {data.missing.length > 0 && (
              <Text size="sm" c="dimmed">
                No value and no fallback for {data.missing.join(', ')}.
              </Text>
            )}
            {data.contact && (
              <Anchor component={Link} href={`/contacts/${data.contact}`} size="sm">
                See the contact
              </Anchor>
            )}
          </Group>
        </>
      )}
    </Stack>
  );
}

interface DrawnProps {
  campaign: Campaign;
  message: object;
  owner: string;
  find(name: string): Definition | undefined;
}

function Drawn({ campaign, message, owner, find }: DrawnProps) {
  const { template, text } = message as { template?: Template; text?: string | { body?: string } };
  return (
    <MessagePreview
      channel={campaign.channel}
      sender={campaign.sender}
      owner={owner}
      text={typeof text === 'string' ? text : text?.body}
      template={template && templateFormOf(template.template_name, template.components ?? [])}
      definition={template && find(template.template_name)}
    />
  );
}
