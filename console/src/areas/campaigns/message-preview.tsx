import { Text } from '@mantine/core';
import { usePhoneFormat } from '../../parts/index.ts';
import { Line, Note, PhoneFrame, Words } from '../intros/bubble.tsx';
import { Filled } from '../intros/filled.tsx';
import { TemplateBubble } from '../intros/preview-template.tsx';
import type { Definition, TemplateForm } from '../intros/template-form.ts';

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
            <Words>
              <Text component="span" size="sm">
                <Filled text={text ?? ''} />
              </Text>
            </Words>
          )}
        </Line>
      )}
    </PhoneFrame>
  );
}
