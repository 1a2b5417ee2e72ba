import { blankIntro, type IntroForm } from '../../../parts/intros/form.ts';
import { blankTemplate } from '../../../parts/writing/index.ts';

/** An intro that works on an empty sandbox; its agent is the second phone of the simulator. */
export const exampleIntro = (chatappNumber: string): IntroForm => ({
  ...blankIntro(),
  chatapp_number: chatappNumber || '+447700900001',
  expected_message_template: 'Hello, I would like to know more about {{PropertyName}}.',
  reply_message_template:
    'Hello {{APartyDataContactName}}, thank you for asking about {{PropertyName}} ({{PropertyPrice}}). {{AgentName}} will write to you shortly.',
  notified: true,
  notify_to_phone_number: '+447700900456',
  notify: {
    ...blankTemplate('new_lead'),
    body: [
      { text: '{{APartyDataContactName}} asks about {{PropertyName}}.', parameter_name: '' },
      { text: 'Write to them: {{intro_chat_link}}', parameter_name: '' },
    ],
  },
  intro_message_template:
    'Hello {{APartyDataContactName}}, this is {{AgentName}}. When would you like to see {{PropertyName}}?',
  variables: [
    { name: 'PropertyName', value: '12 Mill Lane' },
    { name: 'PropertyPrice', value: '£450,000' },
    { name: 'AgentName', value: 'Sam Okoro' },
  ],
});
