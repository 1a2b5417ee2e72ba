import { Alert } from '@mantine/core';
import { useKnownNames } from '../../../../parts/bubble/index.ts';
import { namesIn } from '../../../../parts/writing/index.ts';
import type { FormProps } from '../form-props.ts';
import { SecondsInput } from './seconds-input.tsx';

/** How long the notification waits, and what it would miss if it did not. */
export function DelayFields({ form }: FormProps) {
  const { notify, notify_type: type, notify_sms_template: sms, notify_delay: delay } = form.values;
  const names = useKnownNames();
  const texts = type === 'SMS' ? [sms] : [...notify.body, ...notify.buttons, notify.header].map(({ text }) => text);
  const answers = namesIn(texts).filter((name) =>
    names.some((known) => known.name === name && known.value === undefined),
  );
  return (
    <>
      <SecondsInput
        form={form}
        at="notify_delay"
        label="Delay (seconds)"
        description="Time before the agent is notified, up to one day, for example to let the lead complete a flow. A completed flow ends the wait."
      />
      {!delay && answers.length > 0 && (
        <Alert color="orange">
          Without a delay the agent is notified before the lead can answer: {answers.join(', ')} would be empty.
        </Alert>
      )}
    </>
  );
}
