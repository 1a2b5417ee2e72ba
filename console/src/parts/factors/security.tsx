import { Button, Stack, Text } from '@mantine/core';
import { useAct, useOne } from '../../api/index.ts';
import { confirm, Loaded, Section } from '../index.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';
import { showRecoveryCodes } from './recovery-codes.tsx';

/** One's own second factors. `onAdded`: when there is another one, and its recovery codes were seen. */
export function SecuritySections({ onAdded = () => {} }: { onAdded?(): void }) {
  const query = useOne('/v2/auth/factors/');
  const renew = useAct('post', '/v2/auth/factors/recovery-codes/', {
    invalidates: ['/v2/auth/factors/'],
    onDone: ({ recovery_codes }) => void showRecoveryCodes(recovery_codes),
  });
  const askToRenew = async () => {
    const text = 'Those that you have now will not work any more.';
    const question = { title: 'Make new recovery codes?', text, button: 'Make new codes', harmless: true };
    if (await confirm(question)) renew.mutate(undefined);
  };
  return (
    <Loaded query={query}>
      {(factors) => (
        <Stack>
          <Section
            title="Authenticator app"
            description="An app on your phone shows a code that you type in when you sign in."
          >
            <AuthenticatorApp since={factors.totp?.created ?? null} onAdded={onAdded} />
          </Section>
          <Section
            title="Passkeys"
            description="Sign in with your fingerprint, your face or the PIN of your device, without a password and a code."
          >
            <Passkeys passkeys={factors.passkeys} onAdded={onAdded} />
          </Section>
          {(factors.totp || factors.passkeys.length > 0) && (
            <Section
              title="Recovery codes"
              description="For the day on which you have neither your phone nor a passkey."
            >
              <Stack align="flex-start">
                <Text size="sm">{`${factors.recovery_codes_left} of 10 are left.`}</Text>
                <Button variant="default" loading={renew.isPending} onClick={() => void askToRenew()}>
                  Make new recovery codes
                </Button>
              </Stack>
            </Section>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
