import { NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, Section } from '../../../parts/index.ts';
import { LanguageSelect } from '../language-select.tsx';
import { CarrierChoice } from './carrier-choice.tsx';
import { CloudFields, filledIn, noCloudValues } from './cloud-fields.tsx';

const valuesOf = (account: Schema<'ChatappAccount'>) => ({
  carrier: account.carrier as 'sandbox' | 'cloud-api',
  name: account.name,
  language_code: account.language_code as string | null,
  messages_per_second: account.messages_per_second as number | string,
  ...noCloudValues,
  phone_number_id: account.phone_number_id ?? '',
  business_account_id: account.business_account_id ?? '',
  app_id: account.app_id ?? '',
});

/** Changes what can be changed of a chat-app account. */
export function EditChatAccount({ account: given }: { account: Schema<'ChatappAccount'> }) {
  // What was saved begins a new form, without the secrets that were typed.
  const [saved, setSaved] = useState<Schema<'ChatappAccount'>>();
  const account = saved ?? given;
  const isCloud = (carrier: string) => carrier === 'cloud-api';
  return (
    <Section title="Settings">
      <ApiForm
        key={saved?.modified}
        initialValues={valuesOf(account)}
        edits={editing(account, '/v2/chatapp/accounts/{uuid}/', { uuid: account.uuid }, valuesOf)}
        submit={({ carrier, name, language_code, messages_per_second, ...cloud }, ifMatch) =>
          call('patch', '/v2/chatapp/accounts/{uuid}/', {
            params: { uuid: account.uuid },
            body: {
              name,
              language_code,
              messages_per_second: messages_per_second as number,
              ...(carrier !== account.carrier && { carrier }),
              ...(isCloud(carrier) && filledIn(cloud)),
            },
            ifMatch,
          })
        }
        done="Saved."
        onDone={setSaved}
        invalidates={['/v2/chatapp/accounts/']}
      >
        {(form) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <TextInput label="Name" maxLength={200} {...form.getInputProps('name')} />
              <LanguageSelect
                label="Language"
                placeholder="Account default"
                clearable
                {...form.getInputProps('language_code')}
              />
              <NumberInput
                label="Messages per second"
                min={1}
                max={100_000}
                clampBehavior="none"
                {...form.getInputProps('messages_per_second')}
              />
            </SimpleGrid>
            <CarrierChoice
              description="Changing the carrier keeps intros, links, templates and history. Queued messages are cancelled."
              {...form.getInputProps('carrier')}
            />
            {isCloud(form.values.carrier) && <CloudFields form={form} stored={isCloud(account.carrier)} />}
          </Stack>
        )}
      </ApiForm>
    </Section>
  );
}
