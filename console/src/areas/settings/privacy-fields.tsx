import { NumberInput, Progress, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { Schema } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';

type Account = Schema<'Account'>;
type Kind = keyof Account['retention'];

const kinds: [Kind, string][] = [
  ['messages', 'Chat messages'],
  ['sms', 'SMS'],
  ['calls', 'Calls'],
  ['recordings', 'Recordings and voicemail'],
  ['media', 'Received files'],
  ['leads', 'Leads'],
  ['events', 'Timeline'],
  ['webhooks', 'Webhook deliveries'],
];

export interface PrivacyValues {
  encrypt_content: boolean;
  redact_content: boolean;
  audit_reads: boolean;
  retention: Record<Kind, number | string>;
}

export const privacyValues = ({ encrypt_content, redact_content, audit_reads, retention }: Account): PrivacyValues => ({
  encrypt_content,
  redact_content,
  audit_reads,
  retention: Object.fromEntries(kinds.map(([kind]) => [kind, retention[kind] ?? ''])) as PrivacyValues['retention'],
});

/** Kinds without days of their own are kept as long as everything else. */
export const retentionOf = (retention: PrivacyValues['retention']): Account['retention'] =>
  Object.fromEntries(Object.entries(retention).filter(([, days]) => days !== ''));

interface PrivacyFieldsProps {
  form: {
    getInputProps(
      path: 'encrypt_content' | 'redact_content' | 'audit_reads' | `retention.${Kind}`,
      options?: { type: 'checkbox' },
    ): GetInputPropsReturnType;
  };
  encryption: Account['content_encryption'];
  /** What is kept as long as everything else. */
  days: number | string;
}

/** Who sees what people said, where it is encrypted, and how long each kind of data is kept. */
export const PrivacyFields = ({ form, encryption, days }: PrivacyFieldsProps) => (
  <Section title="Privacy">
    <Stack>
      <Switch
        label="Encrypt content"
        description="Messages, SMS, recordings and files are encrypted in the database and on disk. Existing content is converted in the background."
        {...form.getInputProps('encrypt_content', { type: 'checkbox' })}
      />
      <EncryptionProgress encryption={encryption} />
      <Switch
        label="Redact webhooks and events"
        description="Webhooks, callbacks and the timeline come without message texts, captured digits, answers and notes."
        {...form.getInputProps('redact_content', { type: 'checkbox' })}
      />
      <Switch
        label="Log who reads content"
        description="The audit log also has an entry when somebody opens a message, recording, file, person or export."
        {...form.getInputProps('audit_reads', { type: 'checkbox' })}
      />
      <div>
        <Text size="sm" fw={500}>
          Retention by type
        </Text>
        <Text size="xs" c="dimmed">
          In days. Leave empty to keep them as long as everything else.
        </Text>
      </div>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {kinds.map(([kind, label]) => (
          <NumberInput
            key={kind}
            label={label}
            placeholder={`${days}`}
            suffix=" days"
            min={1}
            max={3650}
            clampBehavior="none"
            {...form.getInputProps(`retention.${kind}`)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  </Section>
);

/** Whether existing content is still being converted. */
export const isConverting = ({ content_encryption: { status } }: Account): boolean =>
  status === 'ENCRYPTING' || status === 'DECRYPTING';

/** How far existing content is converted, while it is. */
function EncryptionProgress({ encryption: { status, total, remaining } }: Pick<PrivacyFieldsProps, 'encryption'>) {
  if (status === 'OFF') return null;
  if (status === 'ENCRYPTED') {
    return (
      <Text size="xs" c="dimmed">
        Existing content is encrypted.
      </Text>
    );
  }
  const doing = status === 'ENCRYPTING' ? 'Encrypting existing content' : 'Decrypting existing content';
  const left = remaining === null ? '' : remaining > 0 ? `: ${remaining.toLocaleString()} items left` : ': final check';
  const done = total === null || remaining === null ? 0 : total === 0 ? 100 : (100 * (total - remaining)) / total;
  return (
    <div role="status">
      <Text size="xs" c="dimmed">{`${doing}${left}`}</Text>
      <Progress value={done} size="sm" aria-label={doing} />
    </div>
  );
}
