import { useLocation } from 'wouter';
import { useOne } from '../../api/index.ts';
import { Loaded, Page, Section } from '../../parts/index.ts';
import { doors, hrefOf, type Kind, titleOf, type Webhook } from '../../parts/webhooks/kinds.ts';
import { WebhookForm } from './form.tsx';
import { showWebhookSecret } from './show-secret.tsx';

const descriptions: Record<Kind, string> = {
  chat: 'Receives the events of the account: messages, intros, leads, opt-outs, campaigns, jobs.',
  number: 'Receives events about calls and SMS of the numbers that use it.',
};

/** Makes a webhook, then shows its secret. */
export function NewWebhook({ kind }: { kind: Kind }) {
  const [, navigate] = useLocation();
  const door = doors[kind];
  return (
    <Page title={`New ${door.what}`} trail={[{ title: 'Webhooks', href: door.home }]} description={descriptions[kind]}>
      <Section>
        <WebhookForm
          kind={kind}
          onDone={(webhook) => {
            navigate(hrefOf(webhook));
            if (webhook.secret) showWebhookSecret(webhook.secret);
          }}
          onCancel={() => navigate(door.home)}
        />
      </Section>
    </Page>
  );
}

/** Changes a webhook. */
export function EditWebhook({ kind, id }: { kind: Kind; id: string }) {
  const [, navigate] = useLocation();
  const door = doors[kind];
  const query = useOne(door.one, door.params(id));
  return (
    <Loaded query={query} what="webhook">
      {(webhook: Webhook) => (
        <Page
          title={`Edit ${titleOf(webhook)}`}
          trail={[
            { title: 'Webhooks', href: door.home },
            { title: titleOf(webhook), href: hrefOf(webhook) },
          ]}
        >
          <Section>
            <WebhookForm
              kind={kind}
              webhook={webhook}
              onDone={(changed) => navigate(hrefOf(changed))}
              onCancel={() => navigate(hrefOf(webhook))}
            />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
