// The variations of a chat intro that the interface names, from the link to the meeting, in virtual time.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type IntroStage, startIntroStage } from './stage.ts';

let stage: IntroStage;
before(async () => {
  stage = await startIntroStage();
});
after(() => stage.close());

let people = 0;
/** A new person for each story; endings 90NN would steer the sandbox. */
const someone = (): string => `+4477110${String(10_000 + ++people).slice(1)}1`;

const usual = (reference: string) => ({
  reference_id: reference,
  expected_message_template: 'Hi, I am interested in {{PropertyName}} ({{reference_id}})',
  reply_message_template: 'Thanks {{ APartyDataContactName }}! {{AgentName}} will be in touch.',
  intro_message_template: 'Hello {{APartyDataContactName}}, {{AgentName}} here about {{PropertyName}}',
  extra_variable_data: {
    AgencyName: 'Mill & Co',
    AgentName: 'Ada',
    PropertyName: '12 Mill Lane',
    PropertyPrice: 'R 1 250 000',
  },
});

const notifying = (b: string) => ({
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
});

/** A taps the link and sends what it filled in. */
async function taps(intro: { chat_link: string }, a: string, name = 'Ana') {
  const { status, to } = await stage.opens(intro.chat_link);
  assert.equal(status, 302);
  assert.equal(to!.pathname, `/console/phone/${encodeURIComponent(stage.business)}`);
  const text = to!.searchParams.get('text')!;
  await stage.writes(a, text, { name });
  return text;
}

const kindsOf = (logs: { event: string }[]) => logs.map(({ event }) => event);

describe('a chat intro', () => {
  it('text reply: from the link to the reply, each step in its log', async () => {
    const a = someone();
    const intro = await stage.createIntro(usual('REF-1'));
    const text = await taps(intro, a);
    assert.equal(text, 'Hi, I am interested in 12 Mill Lane (REF-1)');
    const [mine, reply] = await stage.phone(a, 2);
    assert.equal(mine.direction, 'INBOUND');
    assert.equal(reply.text, 'Thanks Ana! Ada will be in touch.');
    const session = await stage.reaches(intro.uuid, 'REPLIED');
    assert.equal(session.aparty_number, a);
    assert.equal(session.intro_chat_link, `https://parley.example/l/${session.intro_chat_shortcode}`);
    assert.equal(session.intro_chat_link_aparty, null);

    // The same person again: the session goes on, nobody is answered twice.
    await stage.writes(a, text);
    await stage.writes(a, 'Are you there?');
    assert.equal((await stage.phone(a, 4)).length, 4);
    const kinds = kindsOf(await stage.logs(intro.uuid));
    assert.equal(kinds.filter((kind) => kind === 'chat_intro.started').length, 1);
    assert.equal(kinds.filter((kind) => kind === 'chat_intro.replied').length, 1);
    const leads = (await stage.app.call('GET', `/v2/chatapp/leads/?chat_intro=${intro.uuid}`)).body.results;
    assert.deepEqual(
      leads.map(({ phone_number, name }: { phone_number: string; name: string }) => [phone_number, name]),
      [[a, 'Ana']],
    );
  });

  it('alternative interactive quick reply: by its filter, with ids made up and the choice kept', async () => {
    const reply_alt = {
      filter: { property_price: { gte: '1000000', lte: '2000000' } },
      type: 'INTERACTIVE',
      chatapp_components: {
        action: {
          buttons: [
            { title: 'Buy', type: 'reply' },
            { title: 'Rent', type: 'reply' },
          ],
        },
        body: { text: 'Buy or rent {{PropertyName}}?' },
      },
    };
    const [a, cheap] = [someone(), someone()];
    const intro = await stage.createIntro({ ...usual('REF-2'), reply_alt, notify_type: null });
    await taps(intro, a);
    const [, asked] = await stage.phone(a, 2);
    assert.equal(asked.text, 'Buy or rent 12 Mill Lane?');
    assert.deepEqual(
      asked.buttons.map(({ title }: { title: string }) => title),
      ['Buy', 'Rent'],
    );
    await stage.writes(a, { button: { id: asked.buttons[0].id, title: 'Buy' } });
    const session = await stage.session(intro.uuid);
    assert.equal(session.variables.button_title, 'Buy');

    const other = await stage.createIntro({
      ...usual('REF-2b'),
      reply_alt,
      extra_variable_data: { ...usual('').extra_variable_data, PropertyPrice: '950,000' },
    });
    await taps(other, cheap);
    const [, plain] = await stage.phone(cheap, 2);
    assert.equal(plain.text, 'Thanks Ana! Ada will be in touch.');
  });

  it('notification with flow answers: B hears at once when A has answered, with the answers', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      ...usual('REF-3'),
      ...notifying(b),
      notify_delay: 30,
      aparty_notify_chatapp_template_name: 'a_few_questions',
      aparty_notify_chatapp_template_components: [
        { type: 'button', sub_type: 'flow', index: 0, parameters: [{ type: 'action', action: { flow_token: '' } }] },
      ],
      extra_variable_data: { ...usual('').extra_variable_data, timeframe: '', finance: '', buyer_type: '' },
    });
    await taps(intro, a);
    const [, reply, questions] = await stage.phone(a, 3);
    assert.equal(reply.type, 'TEXT');
    assert.equal(questions.type, 'TEMPLATE');
    await stage.writes(a, { flow: { answers: { timeframe: '3 months', finance: 'cash' } } });
    const [notice] = await stage.phone(b, 1);
    assert.match(JSON.stringify(notice), /3 months/);
    const session = await stage.reaches(intro.uuid, 'NOTIFIED');
    assert.equal(session.notify_due, null);
    assert.equal(session.variables.finance, 'cash');

    const opened = await stage.opens(session.intro_chat_link);
    assert.equal(opened.status, 302);
    assert.equal(opened.to!.searchParams.get('text'), 'Hello Ana, Ada here about 12 Mill Lane');
    assert.match(decodeURIComponent(opened.to!.pathname), new RegExp(a.replace('+', '\\+')));
    await stage.reaches(intro.uuid, 'CONNECTED');
    // The half minute passes: B was notified already, and is not again.
    await stage.advance(60);
    const kinds = kindsOf(await stage.logs(intro.uuid));
    assert.equal(kinds.filter((kind) => kind === 'chat_intro.notified').length, 1);
  });

  it('a delayed notification goes by itself, with what is known; A’s template goes with it while B has not made contact', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      ...usual('REF-4'),
      ...notifying(b),
      notify_delay: 3600,
      aparty_notify_chatapp_template_name: 'your_agent',
      aparty_notify_chatapp_template_components: [
        { type: 'header', parameters: [{ type: 'image', image: { url: 'https://pictures.example/ada.jpg' } }] },
        { type: 'body', parameters: [{ type: 'text', text: '{{AgentName}}' }] },
        {
          type: 'button',
          sub_type: 'url',
          index: 0,
          parameters: [{ type: 'text', text: '{{intro_chat_link_aparty_shortcode}}' }],
        },
      ],
      intro_bparty_number: b,
      intro_message_aparty: 'Hi {{AgentName}}, I wrote about {{PropertyName}}',
    });
    await taps(intro, a);
    await stage.phone(a, 2);
    const waiting = await stage.reaches(intro.uuid, 'REPLIED');
    assert.notEqual(waiting.notify_due, null);
    await stage.advance(3601);
    const session = await stage.reaches(intro.uuid, 'NOTIFIED');
    const [notice] = await stage.phone(b, 1);
    assert.match(JSON.stringify(notice), new RegExp(session.intro_chat_shortcode));
    const [, , agent] = await stage.phone(a, 3);
    assert.equal(agent.type, 'TEMPLATE');
    // Direct connect: A writes to B.
    const direct = await stage.opens(session.intro_chat_link_aparty);
    assert.match(decodeURIComponent(direct.to!.pathname), new RegExp(b.replace('+', '\\+')));
    assert.equal(direct.to!.searchParams.get('text'), 'Hi Ada, I wrote about 12 Mill Lane');
    assert.notEqual((await stage.session(intro.uuid)).aparty_connected, null);
  });

  it('A-party template without a notification goes right after the reply', async () => {
    const a = someone();
    const intro = await stage.createIntro({
      ...usual('REF-5'),
      aparty_notify_chatapp_template_name: 'your_agent',
      aparty_notify_chatapp_template_components: [
        { type: 'body', parameters: [{ type: 'text', text: '{{AgentName}}' }] },
      ],
    });
    await taps(intro, a);
    const types = (await stage.phone(a, 3)).map(({ type }) => type);
    assert.deepEqual(types, ['TEXT', 'TEXT', 'TEMPLATE']);
  });

  const interactive = {
    LIST: {
      body: { text: 'Pick, {{APartyDataContactName}}' },
      action: {
        button: 'Open',
        sections: [
          {
            rows: [
              { id: 'r1', title: 'Viewing' },
              { id: 'r2', title: 'Call' },
            ],
          },
        ],
      },
    },
    CTA: {
      body: { text: 'Write to {{AgentName}}' },
      action: { name: 'cta_url', parameters: { display_text: 'Open chat', url: '{{intro_chat_link_aparty}}' } },
    },
    FLOW: {
      body: { text: 'Two questions' },
      action: { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Start', flow_token: '' } },
    },
    QUICK_REPLY: { body: { text: 'Buy or rent?' }, action: { buttons: [{ type: 'reply', title: 'Buy' }] } },
  };
  for (const [reply_type, reply_data] of Object.entries(interactive)) {
    it(`${reply_type} reply, with its placeholders filled in`, async () => {
      const [a, b] = [someone(), someone()];
      const intro = await stage.createIntro({
        ...usual(`REF-6-${reply_type}`),
        reply_type,
        reply_data,
        intro_bparty_number: b,
        intro_message_aparty: 'Hi',
      });
      await taps(intro, a);
      const [, reply] = await stage.phone(a, 2);
      assert.equal(reply.type, 'INTERACTIVE', JSON.stringify(await stage.logs(intro.uuid)));
      assert.doesNotMatch(JSON.stringify(reply), /\{\{/);
      const session = await stage.reaches(intro.uuid, 'REPLIED');
      if (reply_type === 'CTA') assert.match(JSON.stringify(reply), new RegExp(session.intro_chat_link_aparty));
      if (reply_type !== 'FLOW') return;
      await stage.writes(a, { flow: { answers: { budget: 'big' } } });
      assert.equal((await stage.session(intro.uuid)).variables.budget, 'big');
    });
  }

  it('image reply, with the text as its caption', async () => {
    const a = someone();
    const intro = await stage.createIntro({
      ...usual('REF-7'),
      reply_type: 'IMAGE',
      reply_message_file_url: 'https://pictures.example/house.jpg',
    });
    await taps(intro, a);
    const [, reply] = await stage.phone(a, 2);
    assert.deepEqual(
      [reply.type, reply.media.url, reply.text],
      ['IMAGE', 'https://pictures.example/house.jpg', 'Thanks Ana! Ada will be in touch.'],
    );
  });

  it('is found by its reference in an edited text, and by its short code', async () => {
    const [a, other] = [someone(), someone()];
    const intro = await stage.createIntro(usual('Ref.8(x)*'));
    await stage.writes(a, 'hello, about  REF.8(X)* please');
    await stage.phone(a, 2);
    await stage.writes(other, `code ${intro.chat_link.split('/').at(-1)}!`);
    await stage.phone(other, 2);
    const started = (await stage.logs(intro.uuid)).filter(({ event }) => event === 'chat_intro.started');
    assert.deepEqual(
      started.map(({ data }) => data.how),
      ['REFERENCE', 'SHORTCODE'],
    );
  });

  it('B’s link works once when the intro says so; a session ends after seven quiet days, and its links with it', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({ ...usual('REF-9'), ...notifying(b), bparty_expiry_link: true });
    await taps(intro, a);
    const session = await stage.reaches(intro.uuid, 'NOTIFIED');
    assert.equal((await stage.opens(session.intro_chat_link)).status, 302);
    assert.equal((await stage.opens(session.intro_chat_link)).status, 410);
    await stage.reaches(intro.uuid, 'CONNECTED');

    const [c, later] = [someone(), await stage.createIntro({ ...usual('REF-10'), ...notifying(b) })];
    await taps(later, c);
    const open = await stage.reaches(later.uuid, 'NOTIFIED');
    await stage.advance(8 * 86_400);
    await stage.reaches(later.uuid, 'EXPIRED');
    assert.equal((await stage.opens(open.intro_chat_link)).status, 410);
    // Writing again begins anew.
    await taps(later, c);
    await stage.reaches(later.uuid, 'NOTIFIED');
  });
});
