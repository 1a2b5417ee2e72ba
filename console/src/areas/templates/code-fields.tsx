import { Button, Checkbox, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { blankButton } from './button-form.ts';
import type { FormProps } from './form-props.ts';

/** An authentication template: the platform writes the words, one chooses what there is. */
export function CodeFields({ form }: FormProps) {
  const index = form.values.buttons.findIndex(({ type }) => type === 'OTP');
  const kind = form.values.buttons[index]?.otp_type;
  const at = (name: string) => form.getInputProps(`buttons.${index}.${name}`);
  return (
    <Stack>
      <Checkbox
        label="Say that the code must not be shared"
        {...form.getInputProps('body.add_security_recommendation', { type: 'checkbox' })}
      />
      <NumberInput
        label="The code expires after, in minutes"
        description="1 to 90; empty: nothing is said about it."
        min={1}
        max={90}
        w={{ base: '100%', xs: 280 }}
        {...form.getInputProps('footer.code_expiration_minutes')}
      />
      {index < 0 ? (
        <div>
          <Button variant="default" onClick={() => form.insertListItem('buttons', blankButton('OTP'))}>
            Add the button
          </Button>
        </div>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Button"
            allowDeselect={false}
            data={[
              { value: 'COPY_CODE', label: 'Copies the code' },
              { value: 'ONE_TAP', label: 'Fills it into your app' },
              { value: 'ZERO_TAP', label: 'Fills it in without a tap' },
            ]}
            {...at('otp_type')}
          />
          <TextInput label="Button text" placeholder="Copy code" maxLength={25} {...at('text')} />
          {kind !== 'COPY_CODE' && (
            <>
              <TextInput
                label="Package of your app"
                required
                placeholder="com.example.app"
                {...at('package_name')}
                error={form.errors[`buttons.${index}.supported_apps`]}
              />
              <TextInput label="Hash of its signing key" required maxLength={11} {...at('signature_hash')} />
            </>
          )}
          {kind === 'ZERO_TAP' && (
            <Checkbox
              label="I accept the platform's terms for zero-tap"
              {...form.getInputProps(`buttons.${index}.zero_tap_terms_accepted`, { type: 'checkbox' })}
            />
          )}
        </SimpleGrid>
      )}
    </Stack>
  );
}
