import { NumberInput, Radio, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SecretInput, Section } from '../../../parts/index.ts';
import type { SmsLinkValues } from './values.ts';

interface CentreFieldsProps {
  form: UseFormReturnType<SmsLinkValues>;
  /** A password is there already. */
  stored: boolean;
}

/** Where the SMS centre is, and who one is there. */
export const CentreFields = ({ form, stored }: CentreFieldsProps) => (
  <Section title="SMS centre" description="Your carrier provides these values.">
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Host" placeholder="smsc.example.com" required {...form.getInputProps('host')} />
        <NumberInput
          label="Port"
          required
          min={1}
          max={65_535}
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps('port')}
        />
        <TextInput
          label="System id"
          description="Your account name."
          required
          maxLength={15}
          autoComplete="off"
          {...form.getInputProps('system_id')}
        />
        <SecretInput
          label="Password"
          description={
            stored ? 'Leave empty to keep the current value.' : 'Up to 8 characters; stored encrypted, never shown.'
          }
          required={!stored}
          maxLength={8}
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
      <Radio.Group label="Connection" {...form.getInputProps('bind')}>
        <Stack gap={6} mt={4}>
          <Radio value="transceiver" label="One for both ways (transceiver)" />
          <Radio value="transmitter_receiver" label="Two: one to send, one to receive" />
        </Stack>
      </Radio.Group>
      <Switch label="Encrypted (TLS)" {...form.getInputProps('tls', { type: 'checkbox' })} />
      {form.values.tls && (
        <>
          <Switch
            label="Check the certificate"
            description="Turn off for testing only: the server is then not authenticated."
            {...form.getInputProps('tls_verify', { type: 'checkbox' })}
          />
          <Textarea
            label="Certificate authority"
            description="PEM. Leave empty for a public certificate authority."
            placeholder="-----BEGIN CERTIFICATE-----"
            autosize
            minRows={3}
            maxRows={10}
            {...form.getInputProps('tls_ca')}
          />
          <Textarea
            label="Client certificate"
            description="PEM. Only if the server asks for one."
            placeholder="-----BEGIN CERTIFICATE-----"
            autosize
            minRows={3}
            maxRows={10}
            {...form.getInputProps('tls_cert')}
          />
          {form.values.tls_cert !== '' && (
            <Textarea
              label="Client key"
              description={
                stored ? 'PEM. Leave empty to keep the stored key.' : 'PEM, without a passphrase. Stored encrypted.'
              }
              placeholder="-----BEGIN PRIVATE KEY-----"
              autosize
              minRows={3}
              maxRows={10}
              {...form.getInputProps('tls_key')}
            />
          )}
        </>
      )}
    </Stack>
  </Section>
);
