import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SecretInput } from '../../../parts/index.ts';

/** The names of what the platform gives, and of what one makes up. */
export interface CloudValues {
  phone_number_id: string;
  business_account_id: string;
  app_id: string;
  access_token: string;
  app_secret: string;
  verify_token: string;
}

export const noCloudValues: CloudValues = {
  phone_number_id: '',
  business_account_id: '',
  app_id: '',
  access_token: '',
  app_secret: '',
  verify_token: '',
};

/** What is empty is not sent: the API then says that it is missing, or keeps what it has. */
export const filledIn = (values: CloudValues): Partial<CloudValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

interface CloudFieldsProps<V extends CloudValues> {
  form: UseFormReturnType<V>;
  /** The secrets are stored already: an empty field keeps them. */
  stored?: boolean;
}

/** Ids and secrets of a number on the chat-app platform. */
export function CloudFields<V extends CloudValues>({ form, stored = false }: CloudFieldsProps<V>) {
  const secret = (text: string) => (stored ? `${text} Leave empty to keep the current value.` : text);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Phone number id"
          description="API setup of the app, beside the number. It is not the number."
          inputMode="numeric"
          required
          {...form.getInputProps('phone_number_id')}
        />
        <TextInput
          label="Business account id"
          description="On the same page."
          inputMode="numeric"
          required
          {...form.getInputProps('business_account_id')}
        />
        <TextInput
          label="App id"
          description="Settings of the app."
          inputMode="numeric"
          required
          {...form.getInputProps('app_id')}
        />
        <SecretInput
          label="App secret"
          description={secret('Basic settings of the app; it signs what the platform sends.')}
          required={!stored}
          {...form.getInputProps('app_secret')}
        />
      </SimpleGrid>
      <SecretInput
        label="Access token"
        description={secret('A permanent token of a system user, with the rights for messaging and management.')}
        required={!stored}
        {...form.getInputProps('access_token')}
      />
      <SecretInput
        label="Verify token"
        description={secret('Any long text that you make up; the platform shows it when it checks the address.')}
        required={!stored}
        {...form.getInputProps('verify_token')}
      />
    </Stack>
  );
}
