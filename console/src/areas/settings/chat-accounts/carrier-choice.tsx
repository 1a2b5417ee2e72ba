import { Radio, type RadioGroupProps, Stack } from '@mantine/core';

/** Who takes the messages of a number. */
export const CarrierChoice = (props: Omit<RadioGroupProps, 'children'>) => (
  <Radio.Group label="Carrier" {...props}>
    <Stack gap="sm" mt="xs">
      <Radio
        value="sandbox"
        label="Sandbox"
        description="Lives inside Parley: any number works, nothing leaves the server."
      />
      <Radio
        value="cloud-api"
        label="Cloud API"
        description="The chat-app platform itself, for real numbers. You need an app and a number there."
      />
    </Stack>
  </Radio.Group>
);
