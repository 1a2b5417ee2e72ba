import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { IntroForm } from '../../../parts/intros/form.ts';
import type { FormProps } from './form-props.ts';

const link = /\{\{\s*intro_chat_(link|shortcode)\b(?!_)/i;

/** What the agent would get that is not what was meant, before it is saved. */
export function NotifyCheck({ form }: FormProps) {
  const said = troublesOf(form.values);
  if (said.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title="What the agent will get">
      <List size="sm">
        {said.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function troublesOf({ notify, notify_type, notify_sms_template: sms }: IntroForm): string[] {
  const noLink = 'There is no link to the lead: the agent reads about them and cannot open the chat.';
  if (notify_type === 'SMS') return sms.trim() !== '' && !link.test(sms) ? [noLink] : [];
  if (notify.name === '') return [];
  const { header, body, buttons, rest } = notify;
  const urls = buttons.filter(({ sub_type }) => sub_type === 'url');
  const texts = [header.text, ...body.map(({ text }) => text), ...urls.map(({ text }) => text), rest];
  const hasGaps = body.length + urls.length > 0;
  return [
    ...(hasGaps && !texts.some((text) => link.test(text)) ? [noLink] : []),
    ...body.flatMap(({ text }, place) => (text.trim() === '' ? [`Gap ${place + 1} is empty: it is sent as “-”.`] : [])),
    ...urls.flatMap(({ text, index }) =>
      text.trim() === '' ? [`The address of button ${index + 1} ends with nothing: it opens “…/-”.`] : [],
    ),
  ];
}
