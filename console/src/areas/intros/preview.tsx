import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePhoneFormat } from '../../parts/index.ts';
import { Line, Note, PhoneFrame, Words } from './bubble.tsx';
import classes from './chat.module.css';
import { Filled } from './filled.tsx';
import { type IntroForm, isInteractive } from './form.ts';
import { isBlank } from './interactive-form.ts';
import { KnownNames } from './names-context.ts';
import { Picture } from './picture.tsx';
import { InteractiveBubble } from './preview-interactive.tsx';
import { TemplateBubble } from './preview-template.tsx';
import { useTemplates } from './use-templates.ts';
import type { KnownName } from './variables.ts';

/** How the conversation goes, on the phones of the lead and of the agent. */
export function Preview({ form, names }: { form: IntroForm; names: KnownName[] }) {
  const [which, setWhich] = useState('usual');
  const alternative = form.alternative && which === 'alternative';
  return (
    <KnownNames value={names}>
      <Stack gap="md" role="region" aria-label="Preview of the conversation">
        <Group justify="space-between">
          <Text fw={600}>Preview</Text>
          {form.alternative && (
            <SegmentedControl
              size="xs"
              aria-label="Which reply"
              value={which}
              onChange={setWhich}
              data={[
                { value: 'usual', label: 'Usual reply' },
                { value: 'alternative', label: 'The other' },
              ]}
            />
          )}
        </Group>
        <LeadPhone form={form} alternative={alternative} />
        <AgentPhone form={form} />
        <Text size="xs" c="dimmed">
          <span className={classes['sample']}>Dotted</span>: made up for the preview.{' '}
          <span className={classes['later']}>Dashed</span>: comes from an answer.{' '}
          <span className={classes['missing']}>Orange</span>: has no value and would be left empty.
        </Text>
      </Stack>
    </KnownNames>
  );
}

function LeadPhone({ form, alternative }: { form: IntroForm; alternative: boolean }) {
  const say = usePhoneFormat();
  const templates = useTemplates(form.chatapp_number);
  const { aparty_notify: notice } = form;
  return (
    <PhoneFrame owner="The lead's phone" chat={say(form.chatapp_number) || 'Your number'}>
      <Note>Opens the link and sends</Note>
      <Line side="out">
        <Words>
          <Filled text={form.expected_message_template || 'Hello'} />
        </Words>
      </Line>
      {hasReply(form, alternative) ? (
        <Line side="in">
          <Reply form={form} alternative={alternative} />
        </Line>
      ) : (
        <Note>No reply yet: write one under “What the lead gets”.</Note>
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
            <Words>
              <Filled text={form.intro_message_aparty || ' '} />
            </Words>
          </Line>
        </>
      )}
    </PhoneFrame>
  );
}

function hasReply(form: IntroForm, alternative: boolean): boolean {
  if (alternative || form.reply_message_template.trim() !== '') return true;
  if (form.reply_type === 'IMAGE') return form.reply_message_file_url !== '';
  return isInteractive(form.reply_type) && !isBlank(form.reply_data);
}

function Reply({ form, alternative }: { form: IntroForm; alternative: boolean }) {
  if (alternative) return <InteractiveBubble value={form.reply_alt.chatapp_components} />;
  if (isInteractive(form.reply_type) && !isBlank(form.reply_data)) return <InteractiveBubble value={form.reply_data} />;
  const isImage = form.reply_type === 'IMAGE' && form.reply_message_file_url !== '';
  return (
    <>
      {isImage && <Picture kind="image" url={form.reply_message_file_url} />}
      {form.reply_message_template && (
        <Words>
          <Filled text={form.reply_message_template} />
        </Words>
      )}
    </>
  );
}

function AgentPhone({ form }: { form: IntroForm }) {
  const say = usePhoneFormat();
  const templates = useTemplates(form.chatapp_number);
  const { notify, notified, notify_delay: delay, intro_message_template: opening } = form;
  if (!notified && opening === '') return null;
  return (
    <PhoneFrame owner="The agent's phone" chat={say(form.notify_to_phone_number) || 'Agent'}>
      {notified ? (
        <>
          <Note>
            {delay ? `${delay} seconds later` : delay === '' ? 'When it is due' : 'At once'}, from your number
          </Note>
          <Line side="in">
            <TemplateBubble value={notify} definition={templates.find(notify.name)} />
          </Line>
        </>
      ) : (
        <Note>The agent is not notified.</Note>
      )}
      {opening && (
        <>
          <Note>Opens the link and writes to the lead</Note>
          <Line side="out">
            <Words>
              <Filled text={opening} />
            </Words>
          </Line>
        </>
      )}
    </PhoneFrame>
  );
}
