import { useList } from '../../../../api/index.ts';
import { NumberSelect } from '../../../../parts/fields/number-select.tsx';
import { PlaceholderInput } from '../../../../parts/writing/index.ts';
import type { FormProps } from '../form-props.ts';

/** A notification by SMS: whom it comes from, and what it says. */
export function SmsFields({ form }: FormProps) {
  const senders = useList('/v2/sms-senders/', {}, { pageSize: 200 });
  return (
    <>
      <NumberSelect
        label="SMS from"
        description="One of your numbers that can send SMS, or a registered name."
        capability="SMS"
        more={senders.rows.map(({ sender }) => sender)}
        required
        {...form.getInputProps('notify_sms_from')}
      />
      <PlaceholderInput
        label="Text of the SMS"
        description="Give it {{intro_chat_link}}, so that the agent can reach the lead."
        required
        maxLength={4096}
        placeholder="{{APartyDataContactName}} asks about {{PropertyName}}: {{intro_chat_link}}"
        {...form.getInputProps('notify_sms_template')}
      />
    </>
  );
}
