import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for a password or another secret, which the browser neither fills in nor keeps. */
export const SecretInput = (props: PasswordInputProps) => (
  <PasswordInput
    autoComplete="new-password"
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide it' }}
    // Mantine marks only the frame.
    aria-invalid={props.error ? true : undefined}
    {...props}
  />
);
