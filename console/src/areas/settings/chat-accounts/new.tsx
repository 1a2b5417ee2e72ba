import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../../../api/index.ts';
import { ApiForm, Page, Section } from '../../../parts/index.ts';
import { LanguageSelect } from '../language-select.tsx';
import { CarrierChoice } from './carrier-choice.tsx';
import { CloudFields, filledIn, noCloudValues } from './cloud-fields.tsx';

type Carrier = 'sandbox' | 'cloud-api';

/** Registers a number to send from. */
export function NewChatAccount() {
  const [, navigate] = useLocation();
  return (
    <Page
      title="New chat-app account"
      trail={[
        { title: 'Settings', href: '/settings' },
        { title: 'Chat-app accounts', href: '/settings/chat-accounts' },
      ]}
      description="A number that chat messages are sent from."
    >
      <ApiForm
        initialValues={{
          carrier: 'sandbox' as Carrier,
          chatapp_number: '',
          name: '',
          language_code: null as string | null,
          messages_per_second: 80 as number | string,
          ...noCloudValues,
        }}
        submit={({ carrier, chatapp_number, name, language_code, messages_per_second, ...cloud }) =>
          call('post', '/v2/chatapp/accounts/', {
            body: {
              carrier,
              chatapp_number,
              name,
              language_code,
              messages_per_second: messages_per_second as number,
              ...(carrier === 'cloud-api' && filledIn(cloud)),
            },
          })
        }
        button="Create"
        done="Created."
        invalidates={['/v2/chatapp/accounts/']}
        onDone={({ uuid }) => navigate(`/settings/chat-accounts/${uuid}`)}
        onCancel={() => navigate('/settings/chat-accounts')}
      >
        {(form) => (
          <>
            <Section title="Carrier">
              <CarrierChoice label={undefined} aria-label="Carrier" {...form.getInputProps('carrier')} />
            </Section>
            <Section title="Number">
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <TextInput
                  label="Number"
                  description="Any format. Without a country code, the account's country is used."
                  placeholder="+44 7700 900001"
                  type="tel"
                  required
                  {...form.getInputProps('chatapp_number')}
                />
                <TextInput
                  label="Name"
                  description="Internal name, also shown on sandbox phones."
                  maxLength={200}
                  {...form.getInputProps('name')}
                />
                <LanguageSelect
                  label="Language"
                  description="Used when a template does not specify one."
                  placeholder="Account default"
                  clearable
                  {...form.getInputProps('language_code')}
                />
                <NumberInput
                  label="Messages per second"
                  description="Sending rate. The platform allows 80 for a new number."
                  min={1}
                  max={100_000}
                  clampBehavior="none"
                  {...form.getInputProps('messages_per_second')}
                />
              </SimpleGrid>
            </Section>
            {form.values.carrier === 'cloud-api' && (
              <Section title="Credentials" description="Secrets are stored encrypted, and never shown again.">
                <CloudFields form={form} />
              </Section>
            )}
          </>
        )}
      </ApiForm>
    </Page>
  );
}
