import { Button, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';
import { confirm, Section } from '../../parts/index.ts';
import { showSecret } from '../../parts/webhooks/secret.tsx';
import { VerifySnippet } from '../../parts/webhooks/snippet.tsx';
import { SettingsPage } from './settings-page.tsx';

/** The secret that signs callbacks. */
export function CallbackSecret() {
  const rotate = useAct('post', '/v2/account/callback-secret/', {
    onDone: ({ secret }) =>
      showSecret({
        title: 'Callback secret',
        secret,
        text: 'All callbacks of this account are signed with it from now on.',
        children: <VerifySnippet />,
      }),
  });
  const ask = async () => {
    const text = 'For 24 hours, callbacks are also signed with the old secret.';
    const question = { title: 'Create a new callback secret?', text, button: 'Create a new secret', harmless: true };
    if (await confirm(question)) rotate.mutate(undefined);
  };
  return (
    <SettingsPage
      tab="/settings/callback-secret"
      description="Messages, SMS and jobs can set a callback_url that receives status events. Callbacks are signed with one secret per account."
    >
      <Stack>
        <Section title="The secret">
          <Stack align="flex-start">
            <Text size="sm">
              It is shown only when it is made. Until somebody has made one, callbacks are signed with a secret that
              nobody knows.
            </Text>
            <Button leftSection={<IconKey size={16} />} loading={rotate.isPending} onClick={() => void ask()}>
              Create a new secret
            </Button>
          </Stack>
        </Section>
        <Section title="Check the signature" description="Callbacks are signed in the same way as webhooks.">
          <VerifySnippet />
        </Section>
      </Stack>
    </SettingsPage>
  );
}
