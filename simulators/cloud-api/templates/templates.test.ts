import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.close());

const body = { type: 'BODY', text: 'Hi {{1}}, your order is on its way', example: { body_text: [['Ana']] } };
const draft = { name: 'order_update', language: 'es_ES', category: 'UTILITY', components: [body] };
const create = (more: object = {}) => stage.call('POST', `${stage.account}/message_templates`, { ...draft, ...more });
const list = (query = '') => stage.call('GET', `${stage.account}/message_templates?${query}`);

describe('Review', () => {
  it('a new template is PENDING, then APPROVED, and the webhook names it by a number', async () => {
    const { body: created } = await create();
    assert.deepEqual(created, { id: created.id, status: 'PENDING', category: 'UTILITY' });
    const [change] = await stage.changes();
    assert.equal(change?.field, 'message_template_status_update');
    assert.equal(change?.value.event, 'APPROVED');
    assert.equal(change?.value.message_template_id, Number(created.id));
    assert.equal(typeof JSON.parse(stage.bodies[0]!).entry[0].time, 'number');
    assert.equal((await stage.call('GET', created.id)).body.status, 'APPROVED');
  });

  it('waits for a decision when told so; a rejection carries its reason', async () => {
    stage.simulator.settings.reviewDecision = null;
    const { body: created } = await create();
    assert.deepEqual(await stage.changes(), []);
    stage.simulator.decideTemplate(created.id, 'REJECTED', 'PROMOTIONAL');
    const [change] = await stage.changes();
    assert.equal(change?.value.reason, 'PROMOTIONAL');
    const read = await stage.call('GET', `${created.id}?fields=status,rejected_reason`);
    assert.deepEqual(read.body, { status: 'REJECTED', rejected_reason: 'PROMOTIONAL', id: created.id });
  });

  it('quality and category changes are told', async () => {
    const { id } = (await create()).body;
    stage.simulator.changeTemplateQuality(id, 'RED');
    stage.simulator.changeTemplateCategory(id, 'MARKETING');
    const changes = await stage.changes();
    const quality = changes.find(({ field }) => field === 'message_template_quality_update');
    assert.equal(quality?.value.new_quality_score, 'RED');
    const category = changes.find(({ field }) => field === 'template_category_update');
    assert.equal(category?.value.previous_category, 'UTILITY');
    assert.equal(category?.value.new_category, 'MARKETING');
  });
});

describe('Listing', () => {
  it('pages with cursors; next only while more follows', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const first = (await list('limit=2')).body;
    assert.deepEqual(
      first.data.map(({ name }: { name: string }) => name),
      ['a', 'b'],
    );
    const headers = { authorization: `Bearer ${stage.simulator.token}` };
    const second = (await (await fetch(first.paging.next, { headers })).json()) as typeof first;
    assert.deepEqual(
      second.data.map(({ name }: { name: string }) => name),
      ['c'],
    );
    assert.equal('next' in second.paging, false);
    const back = (await list(`limit=2&before=${second.paging.cursors.before}`)).body;
    assert.deepEqual(back.data, first.data);
  });

  it('filters by name, status in either case, language and content', async () => {
    await create();
    await create({ name: 'other', language: 'en_US' });
    await stage.simulator.idle();
    const names = async (query: string) => (await list(query)).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('name=order_update'), ['order_update']);
    assert.deepEqual(await names('status=approved'), ['order_update', 'other']);
    assert.deepEqual(await names('status=REJECTED'), []);
    assert.deepEqual(await names('language=en_US'), ['other']);
    assert.deepEqual(await names('name_or_content=on%20its%20way&limit=1'), ['order_update']);
  });
});

describe('Creation is refused', () => {
  const text = (value: string, example?: string[]) => ({
    components: [{ type: 'BODY', text: value, ...(example && { example: { body_text: [example] } }) }],
  });
  const buttons = (...list: object[]) => ({ components: [body, { type: 'BUTTONS', buttons: list }] });
  const reply = { type: 'QUICK_REPLY', text: 'OK' };
  const cases: Record<string, [subcode: number | undefined, object]> = {
    'capitals in the name': [undefined, { name: 'Order' }],
    'an unknown language': [undefined, { language: 'xx_XX' }],
    'an unknown category': [undefined, { category: 'NEWS' }],
    'no body': [2388072, { components: [{ type: 'FOOTER', text: 'f' }] }],
    'a body of 1025': [2388040, text('x'.repeat(1025))],
    'a variable at the end': [2388299, text('Your code for today is {{1}}', ['a'])],
    'more variables than words': [2388293, text('a {{1}} {{2}} b', ['a', 'b'])],
    'variables out of order': [2388072, text('Hello {{2}} and welcome to us', ['a'])],
    'no example': [2388072, text('Hello {{1}} and welcome to us')],
    'a variable in the footer': [2388073, { components: [body, { type: 'FOOTER', text: '{{1}}' }] }],
    'two variables in the header': [
      2388047,
      { components: [{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, body] },
    ],
    'a media header without sample': [2388047, { components: [{ type: 'HEADER', format: 'IMAGE' }, body] }],
    'three links': [undefined, buttons(...Array(3).fill({ type: 'URL', text: 'a', url: 'https://x.example' }))],
    'quick replies apart': [undefined, buttons(reply, { type: 'URL', text: 'a', url: 'https://x.example' }, reply)],
    'a variable inside a link': [
      undefined,
      buttons({ type: 'URL', text: 'a', url: 'https://x.example/{{1}}/b', example: ['a'] }),
    ],
    'a lifetime of a second': [undefined, { message_send_ttl_seconds: 1 }],
  };
  for (const [title, [subcode, more]] of Object.entries(cases)) {
    it(title, async () => {
      const { status, body } = await create(more);
      assert.equal(status, 400);
      assert.equal(body.error.code, 100);
      assert.equal(body.error.error_subcode, subcode);
    });
  }

  it('the same name and language twice, and beyond the account’s number of templates', async () => {
    await create();
    assert.equal((await create()).body.error.error_subcode, 2388024);
    stage.simulator.world.accounts.get(stage.account)!.maxTemplates = 1;
    assert.equal((await create({ name: 'more' })).body.error.error_subcode, 2388019);
  });
});

describe('Edits and deletion', () => {
  it('an approved template is edited once a day, its category never; the edit is reviewed again', async () => {
    stage.simulator.settings.reviewDecision = null;
    const { id } = (await create()).body;
    assert.equal((await stage.call('POST', id, { components: [body] })).body.error.code, 100, 'not while pending');
    stage.simulator.settings.reviewDecision = 'APPROVED';
    stage.simulator.decideTemplate(id, 'APPROVED');
    assert.equal((await stage.call('POST', id, { category: 'MARKETING' })).body.error.code, 100);
    assert.deepEqual((await stage.call('POST', id, { components: [body] })).body, { success: true });
    await stage.simulator.idle();
    assert.equal((await stage.call('GET', id)).body.status, 'APPROVED');
    assert.equal((await stage.call('POST', id, { components: [body] })).body.error.code, 100);
    stage.simulator.advance(24 * 3_600_000);
    assert.deepEqual((await stage.call('POST', id, { components: [body] })).body, { success: true });
  });

  it('deletion by name takes all languages, by id one; the name of an approved one rests for 30 days', async () => {
    const { id } = (await create()).body;
    await create({ language: 'en_US' });
    await stage.simulator.idle();
    const remove = (query: string) => stage.call('DELETE', `${stage.account}/message_templates?${query}`);
    assert.deepEqual((await remove(`name=order_update&hsm_id=${id}`)).body, { success: true });
    assert.equal((await list()).body.data.length, 1);
    assert.deepEqual((await remove('name=order_update')).body, { success: true });
    assert.equal((await remove('name=order_update')).body.error.code, 100);
    assert.equal((await create()).body.error.error_subcode, 2388023);
    stage.simulator.advance(31 * 24 * 3_600_000);
    assert.equal((await create()).status, 200);
  });

  it('an authentication template reads back with the platform’s words and a link button', async () => {
    const components = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ];
    const { id } = (await create({ category: 'AUTHENTICATION', components })).body;
    const read = (await stage.call('GET', id)).body;
    assert.match(read.components[0].text, /\{\{1\}\}/);
    assert.equal(read.components[1].buttons[0].type, 'URL');
  });
});
