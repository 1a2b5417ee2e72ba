import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  Content,
  contentView,
  GapLegend,
  type KnownName,
  KnownNames,
  Line,
  Note,
  PhoneFrame,
} from '../../../parts/bubble/index.ts';
import { usePhoneFormat } from '../../../parts/index.ts';
import { goesOn } from '../../../parts/intros/chain-form.ts';
import { type IntroForm, isInteractive } from '../../../parts/intros/form.ts';
import { saySeconds } from '../../../parts/intros/funnel.ts';
import { useDefinitions } from '../../../parts/messages/use-definitions.ts';
import { type InteractiveForm, interactiveOf, isBlank, TemplateBubble } from '../../../parts/writing/index.ts';
import { sampleCode } from './variables.ts';

/** How the conversation goes, on the phones of the lead and of the agent. */
export function Preview({ form, names }: { form: IntroForm; names: KnownName[] }) {
  const [which, setWhich] = useState('usual');
  const alternative = form.alternative && which === 'alternative';
  return (
    <KnownNames value={names}>
      <Stack gap="md" role="group" aria-label="Preview of the conversation">
        <Group justify="space-between">
          <Text fw={600}>Preview</Text>
          {form.alternative && (
            <SegmentedControl
              size="xs"
              aria-label="Which reply"
              value={which}
              onChange={setWhich}
              data={[
                { value: 'usual', label: 'Default reply' },
                { value: 'alternative', label: 'Alternative reply' },
              ]}
            />
          )}
        </Group>
        <LeadPhone form={form} alternative={alternative} />
        <AgentPhone form={form} />
        <Text size="xs" c="dimmed">
          <GapLegend />
        </Text>
      </Stack>
    </KnownNames>
  );
}

function LeadPhone({ form, alternative }: { form: IntroForm; alternative: boolean }) {
  const say = usePhoneFormat();
  const templates = useDefinitions(form.chatapp_number);
  const { aparty_notify: notice } = form;
  return (
    <PhoneFrame owner="The lead's phone" chat={say(form.chatapp_number) || 'Your number'}>
      <Note>Opens the link and sends</Note>
      <Line side="out">
        <Content view={{ text: sentText(form) }} />
      </Line>
      {hasReply(form, alternative) ? (
        <Line side="in">
          <Reply form={form} alternative={alternative} />
        </Line>
      ) : (
        <Note>No reply yet. Write one under “Reply”.</Note>
      )}
      {notice.name && (
        <Line side="in">
          <TemplateBubble value={notice} definition={templates.find(notice.name)} />
        </Line>
      )}
      {form.intro_bparty_number && (
        <>
          <Note>By the direct link, to {say(form.intro_bparty_number)}</Note>
          <Line side="out">
            <Content view={{ text: form.intro_message_aparty || ' ' }} />
          </Line>
        </>
      )}
    </PhoneFrame>
  );
}

const sentText = ({ expected_message_template: text, link_code }: IntroForm): string =>
  link_code === 'always' ? `${text} (${sampleCode})`.trim() : text || 'Hello';

function hasReply(form: IntroForm, alternative: boolean): boolean {
  if (alternative || form.reply_message_template.trim() !== '') return true;
  if (form.reply_type === 'IMAGE') return form.reply_message_file_url !== '';
  return isInteractive(form.reply_type) && !isBlank(form.reply_data);
}

function Reply({ form, alternative }: { form: IntroForm; alternative: boolean }) {
  if (alternative) return <Interactive value={form.reply_alt.chatapp_components} />;
  if (isInteractive(form.reply_type) && !isBlank(form.reply_data)) return <Interactive value={form.reply_data} />;
  const url = form.reply_message_file_url;
  const isImage = form.reply_type === 'IMAGE' && url !== '';
  const media = { url, caption: form.reply_message_template };
  return <Content view={isImage ? contentView('IMAGE', { media }) : { text: form.reply_message_template }} />;
}

const Interactive = ({ value }: { value: InteractiveForm }) => (
  <Content view={contentView('INTERACTIVE', { interactive: interactiveOf(value) })} />
);

function AgentPhone({ form }: { form: IntroForm }) {
  const say = usePhoneFormat();
  const templates = useDefinitions(form.chatapp_number);
  const { notify, notified, notify_type: type, notify_delay: delay, intro_message_template: opening } = form;
  if (!notified && opening === '') return null;
  return (
    <PhoneFrame owner="The agent's phone" chat={say(form.notify_to_phone_number) || 'Agent'}>
      {notified ? (
        <>
          <Note>
            {delay ? `${saySeconds(delay)} later` : 'At once'}
            {type === 'CHATAPP' && ', from your number'}
          </Note>
          {type === 'CHATAPP' ? (
            <Line side="in">
              <TemplateBubble value={notify} definition={templates.find(notify.name)} />
            </Line>
          ) : (
            <Sms form={form} />
          )}
          <Chain form={form} />
        </>
      ) : (
        <Note>The agent is not notified.</Note>
      )}
      {opening && (
        <>
          <Note>Opens the link and writes to the lead</Note>
          <Line side="out">
            <Content view={{ text: opening }} />
          </Line>
        </>
      )}
    </PhoneFrame>
  );
}

const Sms = ({ form }: { form: IntroForm }) => (
  <>
    <Note>By SMS{form.notify_sms_from && ` from ${form.notify_sms_from}`}</Note>
    <Line side="in">
      <Content view={{ text: form.notify_sms_template || ' ' }} />
    </Line>
  </>
);

/** What follows when the notification fails, or nobody reacts to it. */
function Chain({ form }: { form: IntroForm }) {
  const { notify_reminder: reminder, notify_timeout: timeout, notify_agents: agents } = form;
  if (!reminder && !goesOn(form)) return null;
  return (
    <>
      {reminder ? <Note>No response: reminder after {saySeconds(reminder)}</Note> : null}
      {goesOn(form) && <Note>If it fails{timeout ? `, or no response for ${saySeconds(timeout)}` : ''}:</Note>}
      {form.notify_type === 'CHATAPP' && form.by_sms && <Sms form={form} />}
      {form.by_agents && <Note>Agents with the skill {agents.skill || '…'}, one by one, in the same way</Note>}
    </>
  );
}
