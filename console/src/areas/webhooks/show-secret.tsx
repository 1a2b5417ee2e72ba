import { showSecret } from '../../parts/webhooks/secret.tsx';
import { VerifySnippet } from '../../parts/webhooks/snippet.tsx';

/** Tells the secret of a webhook, with the way to use it. */
export const showWebhookSecret = (secret: string): void =>
  showSecret({
    title: 'Webhook secret',
    secret,
    text: 'Every event is signed with it. Your endpoint needs it to verify events.',
    children: <VerifySnippet />,
  });
