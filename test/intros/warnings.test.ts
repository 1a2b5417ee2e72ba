// What is accepted and will not work is said when it is made, not when a person waits.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CloudStage, startCloudStage } from '../cloud/stage.ts';
import { startTestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

let stage: CloudStage;
before(async () => {
  stage = await startCloudStage({}, {});
  stage.simulator.addTemplate({ name: 'new_lead', components: [{ type: 'BODY', text: 'A lead.' }] });
  await stage.app.call('POST', '/v2/chatapp/message-templates/sync/', {});
  await until('the template is known', async () => {
    const { body } = await stage.app.call('GET', '/v2/chatapp/message-templates/?status=APPROVED');
    return body.count === 1 ? true : undefined;
  });
});
after(() => stage.close());

const intros = '/v2/chatapp/chat-intros/';
const good = { reference_id: 'warned', expected_message_template: 'About {{reference_id}}' };
const notifying = {
  notify_type: 'CHATAPP',
  notify_to_phone_number: '+34600777002',
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_components: [
    { type: 'body', parameters: [{ type: 'text', text: 'Write: {{ intro_chat_link }}' }] },
  ],
};
const button = (text: string) => ({ type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text }] });
const warningsOf = (headers: Record<string, unknown>) => headers['parley-warnings'];

describe('an intro', () => {
  const cases: [title: string, fields: object, warnings: string | undefined][] = [
    ['with nothing wrong', { ...good, ...notifying }, undefined],
    [
      'with a template that is not approved',
      { ...good, ...notifying, notify_chatapp_template_name: 'unknown' },
      '"notify_chatapp_template_name: No approved template has this name."',
    ],
    [
      'whose template to A is not approved',
      { ...good, aparty_notify_chatapp_template_name: 'unknown' },
      '"aparty_notify_chatapp_template_name: No approved template has this name."',
    ],
    [
      'whose link leads to nothing',
      {},
      '"expected_message_template: The link brings no text, so nobody who opens it can be told from others."',
    ],
    [
      'with a link to a B who has no number',
      { ...good, reply_message_template: 'Write: {{ intro_chat_link_aparty }}' },
      '"intro_bparty_number: A message has the link to the B party, and there is no number for it."',
    ],
    [
      'whose agent gets no link',
      {
        ...good,
        ...notifying,
        notify_chatapp_template_components: [{ type: 'body', parameters: [{ type: 'text', text: 'A lead' }] }],
      },
      '"notify_chatapp_template_components: No gap has {{intro_chat_link}}, and no URL button {{intro_chat_shortcode}}, so the agent cannot open the chat with the lead."',
    ],
    [
      'whose agent gets a button to nowhere',
      {
        ...good,
        ...notifying,
        notify_chatapp_template_components: [...notifying.notify_chatapp_template_components, button('')],
      },
      '"notify_chatapp_template_components: The end of the address of button 1 is empty and will be sent as \\"-\\"."',
    ],
    [
      'whose agent gets a button with the code',
      { ...good, ...notifying, notify_chatapp_template_components: [button('{{intro_chat_shortcode}}')] },
      undefined,
    ],
    [
      'whose SMS to the agent has no link',
      {
        ...good,
        notify_type: 'SMS',
        notify_sms_from: 'Parley',
        notify_to_phone_number: '+34600777002',
        notify_sms_template: 'A lead',
      },
      '"notify_sms_template: It has no {{intro_chat_link}}, so the agent cannot open the chat with the lead."',
    ],
    [
      'with a skill that nobody has',
      { ...good, ...notifying, notify_agents: { skill: 'juggling' } },
      '"notify_agents: No agent has this skill."',
    ],
  ];
  for (const [title, fields, warnings] of cases) {
    it(`${title}: ${warnings ?? 'no warning'}`, async () => {
      const made = await stage.app.call('POST', intros, { chatapp_number: stage.number, ...fields });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.equal(warningsOf(made.headers), warnings);
      const changed = await stage.app.call('PATCH', `${intros}${made.body.uuid}/`, { meta_data: { seen: true } });
      assert.equal(warningsOf(changed.headers), warnings);
    });
  }
});

describe('a number', () => {
  it('that names an audio file which is not there', async () => {
    const app = await startTestApp({ ROLES: 'api' });
    try {
      const bought = await app.call('POST', '/v2/number/', { country_code: 'GB', whisper_file: 'Nobody said' });
      assert.equal(bought.status, 201, JSON.stringify(bought.body));
      assert.equal(warningsOf(bought.headers), '"whisper_file: There is no audio file \\"Nobody said\\"."');
      const place = `/v2/number/${bought.body.number}/`;
      const cleared = await app.call('PATCH', place, { whisper_file: '', features: [] });
      assert.equal(warningsOf(cleared.headers), undefined);
      const silent = await app.call('PATCH', place, { features: ['WHISPER', 'TTS'] });
      assert.deepEqual(
        [silent.status, warningsOf(silent.headers)],
        [
          200,
          '"whisper_file: WHISPER is on without an audio file: whoever answers hears nothing.", "tts: TTS is on without a text: callers hear nothing."',
        ],
      );
    } finally {
      await app.close();
    }
  });
});
