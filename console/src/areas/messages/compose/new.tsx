import { useOne } from '../../../api/index.ts';
import { Loaded } from '../../../parts/index.ts';
import { blankDraft, type Draft, draftOf, templateFor } from '../../../parts/messages/draft.ts';
import { type SendType, sendTypes } from '../../../parts/messages/types.ts';
import { blankInteractive } from '../../../parts/writing/index.ts';
import { Composer } from './composer.tsx';

/** A new message: blank, an earlier one again, or with a template. All of it may stand in the address. */
export function NewMessage() {
  const given = new URLSearchParams(location.search);
  const again = given.get('again') ?? '';
  const template = given.get('template') ?? '';
  if (again) return <Again uuid={again} />;
  const wanted = sendTypes.find(({ value }) => value === given.get('type'))?.value ?? 'TEXT';
  const start = {
    chatapp_number: given.get('from') ?? '',
    to_chatapp_number: given.get('to') ?? '',
    context: given.get('answer') ?? '',
    type: wanted satisfies SendType,
  };
  if (template) return <OfTemplate uuid={template} start={start} />;
  const { media } = blankDraft();
  const flow = given.get('flow') ?? '';
  return (
    <Composer
      initial={blankDraft({
        ...start,
        media: { ...media, media_uuid: given.get('media') ?? '' },
        ...(flow && { interactive: withFlow(flow) }),
      })}
    />
  );
}

/** An interactive message that opens this flow. */
function withFlow(flow_name: string): Draft['interactive'] {
  const blank = blankInteractive('flow');
  return { ...blank, action: { ...blank.action, parameters: { ...blank.action.parameters, flow_name } } };
}

function Again({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/messages/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="message">
      {(message) => <Composer initial={draftOf(message)} again={message} />}
    </Loaded>
  );
}

function OfTemplate({ uuid, start }: { uuid: string; start: Parameters<typeof blankDraft>[0] }) {
  const query = useOne('/v2/chatapp/message-templates/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="template">
      {(template) => (
        <Composer
          initial={blankDraft({
            ...start,
            type: 'TEMPLATE',
            chatapp_number: template.chatapp_number.replaceAll(' ', ''),
            template: templateFor(template),
          })}
        />
      )}
    </Loaded>
  );
}
