import { Anchor, TextInput } from '@mantine/core';

export interface CodeValues {
  code: string;
  isRecovery: boolean;
}

/** The fields of the API for what was typed. */
export const codesOf = ({ code, isRecovery }: CodeValues) =>
  isRecovery ? { recovery_code: code.trim() } : { otp: code.replaceAll(/\s/g, '') };

interface CodeFieldProps {
  values: CodeValues;
  error?: string | undefined;
  /** There is no authenticator app: only recovery codes. */
  onlyRecovery?: boolean;
  onChange(values: CodeValues): void;
}

/** A field for the code of an authenticator app, or for a recovery code in its place. */
export function CodeField({ values, error, onlyRecovery = false, onChange }: CodeFieldProps) {
  const isRecovery = values.isRecovery || onlyRecovery;
  return (
    <>
      <TextInput
        label={isRecovery ? 'Recovery code' : 'Code'}
        description={isRecovery ? 'Each works once.' : 'The six digits that your authenticator app shows.'}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        required
        data-autofocus
        value={values.code}
        onChange={(event) => onChange({ code: event.currentTarget.value, isRecovery })}
        error={error}
      />
      {!onlyRecovery && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => onChange({ code: '', isRecovery: !isRecovery })}
          style={{ alignSelf: 'flex-start' }}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Anchor>
      )}
    </>
  );
}
