import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../../../../simulators/cloud-api/testing.ts';
import { type Connector, makeConnector } from '../../../../test/kit/cloud-api/connector.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierTemplates, Sender, TemplateDefinition } from '../../ports/chat.ts';

let stage: Stage;
let connector: Connector;
let templates: CarrierTemplates;
let sender: Sender;
beforeEach(async () => {
  stage = await startStage({ settings: { reviewDecision: null } });
  connector = makeConnector({
    url: stage.simulator.url,
    settings: { business_account_id: stage.account },
  });
  ({ sender } = connector);
  templates = connector.carrier.chat.templates;
});
afterEach(async () => {
  await connector.close();
  await stage.close();
});

const body = {
  type: 'BODY',
  text: 'Hola {{name}}, gracias por tu pedido.',
  example: { body_text_named_params: [{ param_name: 'name', example: 'Ana' }] },
};
const hello: TemplateDefinition = {
  name: 'hello',
  languageCode: 'es_ES',
  category: 'UTILITY',
  parameterFormat: 'NAMED',
  components: [body, { type: 'FOOTER', text: 'Demo' }],
};
const refused = (code: string, temporary: boolean) => (error: unknown) =>
  error instanceof CarrierRefusal && error.code === code && error.temporary === temporary && error.message !== '';

describe('Templates on the platform', () => {
  it('are created and read back as they were defined', async () => {
    const { id, status, category } = await templates.create(sender, hello);
    assert.deepEqual([status, category], ['PENDING', 'UTILITY']);
    stage.simulator.decideTemplate(id, 'REJECTED', 'SCAM');
    assert.deepEqual(await templates.list(sender), [
      { ...hello, id, status: 'REJECTED', quality: 'UNKNOWN', rejectedReason: 'SCAM' },
    ]);
    stage.simulator.decideTemplate(id, 'APPROVED');
    stage.simulator.changeTemplateQuality(id, 'YELLOW');
    const [approved] = (await templates.list(sender))!;
    assert.deepEqual([approved!.status, approved!.quality, approved!.rejectedReason], ['APPROVED', 'YELLOW', '']);
  });

  it('are listed to the last page, those of this account only', async () => {
    const components = [{ type: 'BODY', text: 'Hello' }];
    const count = 250;
    for (let at = 0; at < count; at++) stage.simulator.addTemplate({ name: `t_${at}`, components });
    const { id: accountId } = stage.simulator.addAccount();
    stage.simulator.addTemplate({ name: 'theirs', components, accountId });
    const names = (await templates.list(sender))!.map(({ name }) => name);
    assert.deepEqual(
      names,
      Array.from({ length: count }, (_, at) => `t_${at}`),
    );
  });

  it('are there once when the answer to the first try was lost', async () => {
    stage.simulator.addTemplate({
      name: 'hello_again',
      language: 'es_ES',
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    stage.simulator.addTemplate({ name: 'hello', language: 'en_US', components: [{ type: 'BODY', text: 'Hello' }] });
    stage.simulator.faults.next(1, { kind: 'lost-answer' }, 'message_templates');
    await assert.rejects(templates.create(sender, hello), refused('no_answer', true));
    const { id } = await templates.create(sender, hello);
    const template = stage.simulator.world.templates.get(id)!;
    assert.deepEqual([template.name, template.language], ['hello', 'es_ES']);
    assert.equal(stage.simulator.world.templates.size, 3);
  });

  it('are edited, and are under review again', async () => {
    const { id } = await templates.create(sender, hello);
    stage.simulator.decideTemplate(id, 'APPROVED');
    const components = [{ ...body, text: 'Adiós {{name}}, gracias por tu visita.' }];
    assert.deepEqual(await templates.update(sender, id, { components }), { status: 'PENDING' });
    assert.deepEqual((await templates.list(sender))![0]!.components, components);
    await assert.rejects(templates.update(sender, id, { components }), refused('100', false));
  });

  it('are deleted, one language alone; what is gone is deleted', async () => {
    const { id } = await templates.create(sender, hello);
    const other = await templates.create(sender, { ...hello, languageCode: 'es_MX' });
    for (let time = 0; time < 2; time++) await templates.delete(sender, { id, name: 'hello' });
    assert.deepEqual(
      (await templates.list(sender))!.map((template) => template.id),
      [other.id],
    );
    stage.simulator.decideTemplate(other.id, 'DISABLED');
    await assert.rejects(templates.delete(sender, { id: other.id, name: 'hello' }), refused('100', false));
  });
});

describe('A refusal', () => {
  it('says what the platform says, and whether it may pass', async () => {
    await assert.rejects(templates.create(sender, { ...hello, components: [] }), refused('100', false));
    await assert.rejects(templates.update(sender, '42', { category: 'MARKETING' }), refused('100', false));
    for (const code of [1, 2, 4, 190, 80007, 131016]) {
      stage.simulator.faults.next(1, { kind: 'error', code }, 'message_templates');
      await assert.rejects(templates.list(sender), refused(String(code), true));
    }
    for (const code of [3, 10, 131031]) {
      stage.simulator.faults.next(1, { kind: 'error', code }, 'message_templates');
      await assert.rejects(templates.list(sender), refused(String(code), false));
    }
  });

  it('comes also when nobody answers, or nobody is there', async () => {
    stage.simulator.faults.next(1, { kind: 'reset' }, 'message_templates');
    await assert.rejects(templates.list(sender), refused('no_answer', true));
    await stage.simulator.close();
    await assert.rejects(templates.list(sender), refused('no_answer', true));
  });

  it('of a page in the middle fails the whole list: half a list would delete the other half', async () => {
    for (let at = 0; at < 150; at++)
      stage.simulator.addTemplate({ name: `t_${at}`, components: [{ type: 'BODY', text: 'Hi' }] });
    stage.simulator.faults.next(1, { kind: 'late', delayMs: 0 }, 'message_templates');
    stage.simulator.faults.next(1, { kind: 'error', code: 2 }, 'message_templates');
    await assert.rejects(templates.list(sender), refused('2', true));
  });
});
