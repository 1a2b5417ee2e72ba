import { Switch, Textarea, TextInput } from '@mantine/core';
import { call } from '../../api/index.ts';
import { ApiForm, editing } from '../../parts/index.ts';
import { doors, idOf, type Kind, type Webhook, webhookPaths } from '../../parts/webhooks/kinds.ts';
import { EventsField } from './events-field.tsx';

interface WebhookFormProps {
  kind: Kind;
  /** Left out: a new one is made. */
  webhook?: Webhook;
  onDone(webhook: Webhook & { secret?: string }): void;
  onCancel(): void;
}

const valuesOf = (webhook?: Webhook) => ({
  url: webhook?.url ?? '',
  name: '',
  description: webhook?.description ?? '',
  events: (webhook?.events ?? ['*']) as string[],
  enabled: webhook?.enabled ?? true,
});

/** Makes or changes a webhook. */
export function WebhookForm({ kind, webhook, onDone, onCancel }: WebhookFormProps) {
  const door = doors[kind];
  return (
    <ApiForm
      initialValues={valuesOf(webhook)}
      edits={editing(webhook, door.one, door.params(webhook ? idOf(webhook) : ''), valuesOf)}
      submit={({ name, ...values }, ifMatch): Promise<Webhook & { secret?: string }> => {
        // The API checks the events; here they are words that it told.
        const body = { ...values, ...(!webhook && kind === 'number' && name && { name }) } as never;
        return webhook
          ? call('patch', door.one, { params: door.params(idOf(webhook)), body, ifMatch })
          : call('post', door.list, { body });
      }}
      button={webhook ? 'Save' : 'Create'}
      done={webhook ? 'Saved.' : 'Created.'}
      invalidates={webhookPaths}
      validate={{ events: (events) => (events.length === 0 ? 'Choose at least one event.' : null) }}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => {
        const events = form.getInputProps('events');
        return (
          <>
            <TextInput
              label="URL"
              description="Receives events as POST requests. It must respond with 2xx within 15 seconds; private addresses are refused."
              placeholder="https://example.com/hooks/parley"
              type="url"
              inputMode="url"
              required
              {...form.getInputProps('url')}
            />
            {kind === 'number' && !webhook && (
              <TextInput
                label="Name"
                description="Numbers refer to this name. It cannot be changed later. Leave empty to generate one."
                placeholder="crm"
                maxLength={100}
                {...form.getInputProps('name')}
              />
            )}
            <Textarea
              label="Description"
              description="For your own reference."
              autosize
              maxLength={500}
              {...form.getInputProps('description')}
            />
            <EventsField heardBy={door.heardBy} value={events.value} onChange={events.onChange} error={events.error} />
            <Switch
              label="Enabled"
              description="While disabled, pending deliveries wait and new events are not queued."
              {...form.getInputProps('enabled', { type: 'checkbox' })}
            />
          </>
        );
      }}
    </ApiForm>
  );
}
