// The journey of a chat intro over the chat platform's own interface.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CloudStage, startCloudStage } from '../cloud/stage.ts';
import { until } from '../kit/until.ts';

let stage: CloudStage;
before(async () => {
  stage = await startCloudStage({}, { PUBLIC_URL: 'https://parley.example' });
  stage.simulator.addTemplate({
    name: 'new_lead',
    components: [
      { type: 'BODY', text: 'Lead: {{1}}, when: {{2}}, reach them.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Write', url: 'https://parley.example/l/{{1}}' }] },
    ],
  });
  stage.simulator.addTemplate({
    name: 'questions',
    components: [
      { type: 'BODY', text: 'A few questions first.' },
      { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Answer', flow_id: '1' }] },
    ],
  });
  await stage.app.call('POST', '/v2/chatapp/message-templates/sync/', {});
  await until('the templates are known', async () => {
    const { body } = await stage.app.call('GET', '/v2/chatapp/message-templates/?status=APPROVED');
    return body.count === 2 ? true : undefined;
  });
});
after(() => stage.close());

const [a, b] = ['+34600777001', '+34600777002'];
const sentTo = (phone: string) =>
  stage.simulator
    .person(phone)
    .messages()
    .filter(({ direction }) => direction === 'out');

describe('a chat intro on the chat platform', () => {
  it('link, message, reply, questions, answers, notification, meeting', async () => {
    const { body: intro } = await stage.app.call('POST', '/v2/chatapp/chat-intros/', {
      chatapp_number: stage.number,
      reference_id: 'PISO-7',
      expected_message_template: 'Hola, me interesa {{PropertyName}} ({{reference_id}})',
      reply_message_template: 'Gracias {{APartyDataContactName}} 👋',
      intro_message_template: 'Hola {{APartyDataContactName}}, soy {{AgentName}}',
      notify_type: 'CHATAPP',
      notify_to_phone_number: b,
      notify_chatapp_template_name: 'new_lead',
      notify_chatapp_template_components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: '{{APartyDataContactName}}' },
            { type: 'text', text: '{{timeframe}}' },
          ],
        },
        { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '{{intro_chat_shortcode}}' }] },
      ],
      notify_delay: 3600,
      aparty_notify_chatapp_template_name: 'questions',
      aparty_notify_chatapp_template_components: [
        { type: 'button', sub_type: 'flow', index: 0, parameters: [{ type: 'action', action: { flow_token: '' } }] },
      ],
      extra_variable_data: { PropertyName: 'Calle Mayor 7', AgentName: 'Ada', timeframe: '' },
    });
    const person = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari';
    const open = (link: string) =>
      stage.app.call('GET', link.slice(link.indexOf('/l/')), undefined, {
        token: null,
        headers: { 'user-agent': person },
      });
    const { headers } = await open(intro.chat_link);
    const to = new URL(String(headers['location']));
    assert.equal(to.origin + to.pathname, 'https://wa.me/34900111222');

    const ana = stage.simulator.person(a);
    ana.behaves({ name: 'Ana' });
    ana.writes(to.searchParams.get('text')!);
    await until('A has the reply and the questions', async () => sentTo(a).length === 2);
    const [reply, questions] = sentTo(a);
    assert.equal((reply!.payload as { text: { body: string } }).text.body, 'Gracias Ana 👋');
    ana.answersFlow({ timeframe: 'este mes' }, questions!.id);
    await until('B is notified', async () => sentTo(b).length === 1);
    const { template } = sentTo(b)[0]!.payload as { template: { components: { parameters: { text: string }[] }[] } };
    const [body, button] = template.components;
    assert.deepEqual(
      body!.parameters.map(({ text }) => text),
      ['Ana', 'este mes'],
    );

    const shortcode = button!.parameters[0]!.text;
    const met = await open(`/l/${shortcode}`);
    assert.equal(met.headers['location'], `https://wa.me/34600777001?text=${encodeURIComponent('Hola Ana, soy Ada')}`);
    const { results } = (await stage.app.call('GET', `/v2/chatapp/chat-intros/${intro.uuid}/sessions/`)).body;
    assert.equal(results[0].status, 'CONNECTED');
  });
});
