import { Content, Line, Note, PhoneFrame } from '../../../../parts/bubble/index.ts';
import { usePhoneFormat } from '../../../../parts/index.ts';
import { type Definition, TemplateBubble, type TemplateForm } from '../../../../parts/writing/index.ts';

interface MessagePreviewProps {
  channel: 'CHATAPP' | 'SMS';
  sender: string;
  /** Whose phone it is. */
  owner: string;
  text?: string | undefined;
  template?: TemplateForm | undefined;
  definition?: Definition | undefined;
}

/** The message on the phone of whoever gets it. */
export function MessagePreview({ channel, sender, owner, text, template, definition }: MessagePreviewProps) {
  const say = usePhoneFormat();
  const isEmpty = template ? !template.name : !text?.trim();
  return (
    <PhoneFrame owner={`Phone of ${owner}`} chat={sender ? say(sender) : 'Sender'}>
      <Note>{channel === 'SMS' ? 'Text message' : 'Chat'}</Note>
      {isEmpty ? (
        <Note>The message will be shown here.</Note>
      ) : (
        <Line side="in">
          {template ? (
            <TemplateBubble value={template} definition={definition} />
          ) : (
            <Content view={{ text, plain: channel === 'SMS' }} />
          )}
        </Line>
      )}
    </PhoneFrame>
  );
}
