import { Alert, Select, Stack, Switch } from '@mantine/core';
import { Section } from '../../../../parts/index.ts';
import { isInteractive, type ReplyType } from '../../../../parts/intros/form.ts';
import { Later } from '../../../../parts/loading/later.tsx';
import { pagesOf } from '../../../../parts/loading/lazily.ts';
import {
  InteractiveFields,
  isBlank,
  type Kind,
  kindNames,
  kindOfType,
  PlaceholderInput,
} from '../../../../parts/writing/index.ts';
import { type FormProps, linked } from '../form-props.ts';
import { replyTypes } from '../reply-types.ts';

const { AlternativeFields } = pagesOf(() => import('../fields/alternative-fields.tsx'));

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** Reply at once: the reply, and another one for some leads. */
export function ReplySection({ form }: FormProps) {
  const { reply_type: type, reply_data: data, alternative } = form.values;
  const choose = (next: ReplyType): void => {
    form.setFieldValue('reply_type', next);
    const kind = kindOfType[next];
    if (kind) form.setFieldValue('reply_data.type', kind);
  };
  return (
    <Section title="Reply" description="Sent from your number as soon as the lead writes.">
      <Stack>
        <Select
          label="Kind of reply"
          data={replyTypes}
          allowDeselect={false}
          value={type}
          error={form.errors['reply_type']}
          onChange={(value) => value && choose(value as ReplyType)}
        />
        {type === 'IMAGE' && (
          <PlaceholderInput
            label="Image URL"
            line
            placeholder="https://…/house.jpg"
            description="A JPEG or PNG that the platform can fetch. Without one, the caption is sent as a text."
            {...form.getInputProps('reply_message_file_url')}
          />
        )}
        {type === 'INTERACTIVE' && (
          <Select
            label="Kind of interactive reply"
            data={kinds}
            allowDeselect={false}
            value={data.type}
            onChange={(value) => value && form.setFieldValue('reply_data.type', value as Kind)}
          />
        )}
        {isInteractive(type) && <InteractiveFields form={form} at="reply_data" value={data} {...linked(form)} />}
        {isInteractive(type) && isBlank(data) && (
          <Alert color="blue">While nothing is filled in above, the text below is the reply.</Alert>
        )}
        {(!isInteractive(type) || isBlank(data)) && (
          <PlaceholderInput
            label={type === 'IMAGE' ? 'Caption' : 'Text'}
            minRows={4}
            maxLength={4096}
            placeholder="Hello {{APartyDataContactName}}, thank you for asking. {{AgentName}} will be with you soon."
            {...form.getInputProps('reply_message_template')}
          />
        )}
        <Switch
          label="Alternative reply"
          description="Sent instead when variables are in a range, such as a price."
          checked={alternative}
          onChange={(event) => form.setFieldValue('alternative', event.currentTarget.checked)}
        />
        {alternative && (
          <Later>
            <AlternativeFields form={form} />
          </Later>
        )}
      </Stack>
    </Section>
  );
}
