import { Checkbox, Collapse, JsonInput, NumberInput, Stack, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { call, type Schema, useList } from '../../api/index.ts';
import { NumberSelect } from '../../parts/fields/number-select.tsx';
import { notAnObject, objectOf } from '../../parts/fields/number-values.ts';
import { fromLocal } from '../../parts/hours/local-time.ts';
import { ApiForm } from '../../parts/index.ts';
import { SegmentCounter } from './segment-counter.tsx';

interface SendFormProps {
  from?: string;
  to?: string;
  text?: string;
  onDone(sms: Schema<'SmsRecord'>): void;
  onCancel(): void;
}

/** Writes an SMS, and says while one types in how many parts it goes. */
export function SendForm({ from = '', to = '', text = '', onDone, onCancel }: SendFormProps) {
  const senders = useList('/v2/sms-senders/', {}, { pageSize: 200 });
  const [more, { toggle }] = useDisclosure();
  return (
    <ApiForm
      initialValues={{
        from,
        to,
        text,
        smart_encoding: true,
        send_at: '',
        validity_seconds: '' as number | string,
        ignore_quiet_hours: false,
        callback_url: '',
        meta_data: '',
      }}
      validate={{ meta_data: notAnObject }}
      submit={({ send_at, validity_seconds, callback_url, meta_data, ...rest }) => {
        const at = fromLocal(send_at);
        const meta = objectOf(meta_data);
        const body = {
          ...rest,
          ...(at && { send_at: at }),
          ...(validity_seconds !== '' && { validity_seconds: Number(validity_seconds) }),
          ...(callback_url && { callback_url }),
          ...(meta && { meta_data: meta }),
        };
        return call('post', '/v2/send-sms/', { body });
      }}
      button="Send"
      done="SMS queued."
      invalidates={['/v2/sms-records/']}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => (
        <Stack>
          <NumberSelect
            label="From"
            description="One of your numbers that can send SMS, or a registered name."
            capability="SMS"
            more={senders.rows.map(({ sender }) => sender)}
            required
            data-autofocus
            {...form.getInputProps('from')}
          />
          <TextInput label="To" type="tel" required placeholder="+44 7700 900123" {...form.getInputProps('to')} />
          <Textarea label="Text" autosize minRows={4} required {...form.getInputProps('text')} />
          <SegmentCounter text={form.values.text} smart={form.values.smart_encoding} />
          <Checkbox
            label="Plain characters"
            description="Replaces typographic quotes, dashes and spaces if the text then fits the GSM alphabet."
            {...form.getInputProps('smart_encoding', { type: 'checkbox' })}
          />
          <UnstyledButton
            onClick={toggle}
            aria-expanded={more}
            c="brand"
            fz="sm"
            fw={500}
            style={{ alignSelf: 'start' }}
          >
            {more ? 'Fewer settings' : 'More settings'}
          </UnstyledButton>
          <Collapse expanded={more}>
            <Stack>
              <TextInput
                type="datetime-local"
                label="Send at"
                description="In your local time, up to 90 days ahead. Leave empty to send now."
                {...form.getInputProps('send_at')}
              />
              <NumberInput
                label="Valid for"
                description="The SMS expires after this time. Leave empty for the carrier’s default."
                suffix=" seconds"
                min={60}
                max={604_800}
                {...form.getInputProps('validity_seconds')}
              />
              <Checkbox
                label="Send during quiet hours"
                description="For one-time passwords and other expected messages."
                {...form.getInputProps('ignore_quiet_hours', { type: 'checkbox' })}
              />
              <TextInput
                type="url"
                label="Callback"
                description="Receives a signed event for each status change."
                placeholder="https://example.com/sms"
                {...form.getInputProps('callback_url')}
              />
              <JsonInput
                label="Metadata"
                description="Your own JSON object, returned with the SMS."
                placeholder='{"order": 17}'
                autosize
                minRows={2}
                {...form.getInputProps('meta_data')}
              />
            </Stack>
          </Collapse>
        </Stack>
      )}
    </ApiForm>
  );
}
