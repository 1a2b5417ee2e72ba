// Chats that are routed to agents on the live platform: by template where an agent has not written within 24 hours.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CloudStage, startCloudStage } from '../cloud/stage.ts';
import { until } from '../kit/until.ts';

const [ana, ben, eve] = ['+34600888001', '+34600888002', '+34600888003'];
const agents = '/v2/agent-configs/';
let stage: CloudStage;
let last = 0;
const newPerson = (): string => `+3460077${String(1000 + ++last)}`;
const uuids: Record<string, string> = {};

before(async () => {
  stage = await startCloudStage();
  for (const name of ['for_agents', 'for_everybody']) {
    stage.simulator.addTemplate({ name, components: [{ type: 'BODY', text: `${name}: {{1}} wrote {{2}}.` }] });
  }
  await stage.app.call('POST', '/v2/chatapp/message-templates/sync/', {});
  await until('the templates are known', async () => {
    const { body } = await stage.app.call('GET', '/v2/chatapp/message-templates/?status=APPROVED');
    return body.count === 2 || undefined;
  });
  for (const [name, number, more] of [
    ['Ana', ana, { skills: ['sales'] }],
    ['Ben', ben, { skills: ['sales'] }],
    // Never at work.
    ['Eve', eve, { skills: ['sales'], away: true }],
  ] as const) {
    uuids[name] = await make(agents, { name, numbers: [number], ...more });
  }
  await make('/v2/routing-configs/', {
    name: 'Sales',
    channel: 'CHATAPP',
    numbers: [stage.number],
    routes: [{ name: 'anybody', destination: { type: 'AGENT', skill: 'sales', strategy: 'ROUND_ROBIN' } }],
  });
});
after(() => stage.close());

async function make(url: string, body: object): Promise<string> {
  const answer = await stage.app.call('POST', url, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
}
const change = async (url: string, body: object) => {
  const answer = await stage.app.call('PATCH', url, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const templateOf = (template_name: string) => ({ template_name, parameters: ['{{from}}', '{{text}}'] });

/** Somebody new writes; answers what became of it. */
async function routed(text: string) {
  const person = newPerson();
  stage.simulator.person(person).writes(text);
  const message = await until('it came', async () => {
    const query = `from=${encodeURIComponent(person)}&direction=INBOUND`;
    return (await stage.app.call('GET', `/v2/chatapp/messages/?${query}`)).body.results[0];
  });
  const event = await until('it was sent on, or not', async () => {
    const { body } = await stage.app.call('GET', `/v2/events/?subject=${message.uuid}`);
    return body.results.find(({ kind }: { kind: string }) => /routed$/.test(kind));
  });
  return { person, event };
}
const sentOn = async (uuid: string) => (await stage.app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;

describe('a chat that goes to agents by skill', () => {
  it('is not routed where nobody wrote within a day and nobody set a template, and the event says what to do', async () => {
    const { event } = await routed('Hello');
    assert.equal(event.kind, 'message.not_routed');
    assert.match(event.data.problems[0].problem, /`template` of the agent or `notify_template` of the account/);
  });

  it('goes by the agent’s template, else by the account’s, to each in turn, and never to who is away', async () => {
    await change('/v2/account/', { notify_template: templateOf('for_everybody') });
    const changed = await change(`${agents}${uuids['Ana']}/`, { template: templateOf('for_agents') });
    assert.deepEqual(changed.template, templateOf('for_agents'));
    const seen = new Map<string, string>();
    for (const text of ['one', 'two']) {
      const { person, event } = await routed(text);
      assert.equal(event.kind, 'message.routed', JSON.stringify(event.data));
      const message = await sentOn(event.data.sent);
      seen.set(event.data.to, message.message_data.template_name);
      assert.deepEqual(
        message.message_data.components[0].parameters.map((one: { text: string }) => one.text),
        [person, text],
      );
      await stage.reaches(event.data.sent, 'READ');
    }
    assert.deepEqual([seen.size, seen.get(ana), seen.get(ben)], [2, 'for_agents', 'for_everybody']);
  });

  it('goes as a text to an agent who wrote within a day', async () => {
    for (const agent of [ana, ben]) stage.simulator.person(agent).writes('At work');
    await until('both windows are open', async () => {
      const { body } = await stage.app.call('GET', '/v2/chatapp/conversations/?page_size=200');
      const open = body.results.filter(
        ({ number, is_open }: { number: string; is_open: boolean }) => is_open && [ana, ben].includes(number),
      );
      return open.length === 2 || undefined;
    });
    const { person, event } = await routed('A question');
    const message = await sentOn(event.data.sent);
    assert.deepEqual([message.type, message.message_data.text.body], ['TEXT', `${person}: A question`]);
  });
});

describe('the templates', () => {
  it('400 at the field that is wrong, and null takes them back', async () => {
    const wrong = { template: { template_name: '' } };
    const refused = await stage.app.call('PATCH', `${agents}${uuids['Ana']}/`, wrong);
    assert.deepEqual([refused.status, Object.keys(refused.body.template)], [400, ['template_name']]);
    const account = await stage.app.call('PATCH', '/v2/account/', { notify_template: { parameters: [] } });
    assert.deepEqual([account.status, Object.keys(account.body.notify_template)], [400, ['template_name']]);
    assert.equal((await change(`${agents}${uuids['Ana']}/`, { template: null })).template, null);
    assert.equal((await change('/v2/account/', { notify_template: null })).notify_template, null);
  });
});
