import { NumberInput, Radio, Stack } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, Section } from '../../../parts/index.ts';
import { TrafficFields } from '../traffic-fields.tsx';
import { CentreFields } from './centre-fields.tsx';
import { FineFields } from './fine-fields.tsx';
import { bodyOf, valuesOf } from './values.ts';

type SmsLink = Schema<'SmsLink'>;

interface SmsLinkFormProps {
  /** Left out: a new one is made. */
  link?: SmsLink;
  onDone(link: SmsLink): void;
  onCancel(): void;
}

/** Makes or changes a link. */
export function SmsLinkForm({ link, onDone, onCancel }: SmsLinkFormProps) {
  return (
    <ApiForm
      initialValues={valuesOf(link)}
      edits={editing(link, '/v2/sms-links/{uuid}/', { uuid: link?.uuid ?? '' }, valuesOf)}
      submit={(values, ifMatch): Promise<SmsLink> =>
        link
          ? call('patch', '/v2/sms-links/{uuid}/', {
              params: { uuid: link.uuid },
              body: bodyOf(values, false),
              ifMatch,
            })
          : call('post', '/v2/sms-links/', { body: { ...bodyOf(values, true), carrier: values.carrier } })
      }
      button={link ? 'Save' : 'Create'}
      done={link ? 'Saved.' : 'Created.'}
      invalidates={['/v2/sms-links/', '/v2/network-status/sms/']}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          {!link && (
            <Section title="Carrier">
              <Radio.Group aria-label="Carrier" {...form.getInputProps('carrier')}>
                <Stack gap="sm">
                  <Radio value="smpp" label="SMPP" description="The SMS centre of a carrier or an aggregator." />
                  <Radio value="sandbox" label="Sandbox" description="Internal; nothing leaves the server." />
                </Stack>
              </Radio.Group>
            </Section>
          )}
          {form.values.carrier === 'smpp' && <CentreFields form={form} stored={link !== undefined} />}
          <TrafficFields
            form={form}
            one="link"
            share="the traffic"
            stored={link !== undefined}
            off="A disabled link is closed and sends nothing."
          >
            <NumberInput
              label="Messages per second"
              description="Sending rate, in message parts."
              min={1}
              clampBehavior="none"
              {...form.getInputProps('messages_per_second')}
            />
          </TrafficFields>
          {form.values.carrier === 'smpp' && <FineFields form={form} />}
        </>
      )}
    </ApiForm>
  );
}
