import { Status } from '../../parts/index.ts';
import type { Webhook } from '../../parts/webhooks/kinds.ts';

/** How an endpoint does, in a word: on, failing, switched off by you or by Parley. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.enabled)
    return webhook.failing_since ? (
      <Status word="UNKNOWN" label="Failing" />
    ) : (
      <Status word="ENABLED" label="Enabled" />
    );
  return webhook.disabled_reason ? (
    <Status word="FAILED" label="Disabled by Parley" />
  ) : (
    <Status word="PAUSED" label="Disabled" />
  );
}
