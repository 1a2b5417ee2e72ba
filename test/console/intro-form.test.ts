import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem } from '../../console/src/api/problem.ts';
import { blankIntro, bodyOf, formOf, type Intro, type IntroForm, rename } from '../../console/src/parts/intros/form.ts';
import { tapsIn, tapsOf } from '../../console/src/parts/intros/taps.ts';
import {
  blankInteractive,
  type InteractiveForm,
  interactiveOf,
} from '../../console/src/parts/writing/interactive-form.ts';
import { blankTemplate } from '../../console/src/parts/writing/template-form.ts';
import { fillInteractive } from '../../src/domains/intros/compose/reply.ts';
import { makeFiller } from '../../src/platform/text/fill.ts';

const other = '01a1e65c-b993-7000-bae9-1c57d92131a6';

const stored: Intro = {
  uuid: '01a1e65c-b993-7000-bae9-1c57d92131a5',
  chatapp_number: '+447700900001',
  chat_link: '../l/k7m2q9xw4t',
  chat_url: 'https://parley.example/l/k7m2q9xw4t',
  reference_id: null,
  expected_message_template: 'Hello',
  reply_message_template: 'Thank you.',
  reply_message_file_url: null,
  reply_type: 'TEXT',
  reply_data: {},
  reply_alt_data: {},
  intro_message_template: '',
  notify_type: 'CHATAPP',
  notify_data: {
    to_phone_number: '+447700900456',
    chatapp_template_name: 'new_lead',
    chatapp_template_params: [],
    chatapp_template_components: [],
  },
  aparty_notify_data: {},
  aparty_intro_data: {},
  bparty_expiry_link: false,
  extra_variable_data: {},
  meta_data: {},
  notify_delay: 90,
  notify_sms_from: 'Agency',
  notify_sms_template: 'Write to {{intro_chat_link}}',
  notify_agents: { skill: 'sales', strategy: 'LEAST_RECENT' },
  notify_timeout: 600,
  notify_reminder: 300,
  link_code: 'always',
  button_actions: { call_me: { action: 'NOTIFY' }, rent: { action: 'START', chat_intro: other } },
  created: '2026-11-15T09:30:00.123456Z',
  modified: '2026-11-15T09:30:00.123456Z',
};

const edited = (change: Partial<IntroForm>) => bodyOf({ ...formOf(stored), ...change });

describe('The form of a chat intro', () => {
  it('gives back what the intro has: the delay, the chain, the code of the link, what buttons do', () => {
    const { notify_type, link_code, button_actions, ...body } = edited({});
    assert.deepEqual([notify_type, link_code, button_actions], ['CHATAPP', 'always', stored.button_actions]);
    assert.deepEqual(
      [body.notify_delay, body.notify_sms_from, body.notify_sms_template, body.notify_timeout, body.notify_reminder],
      [90, 'Agency', 'Write to {{intro_chat_link}}', 600, 300],
    );
    assert.deepEqual(body.notify_agents, stored.notify_agents);
    assert.equal(body.notify_chatapp_template_name, 'new_lead');
  });

  it('says nothing of a chain that is switched off, and keeps its times only where somebody is next', () => {
    const alone = edited({ by_sms: false, by_agents: false });
    assert.deepEqual(
      [alone.notify_sms_from, alone.notify_sms_template, alone.notify_agents, alone.notify_timeout],
      ['', '', null, 0],
    );
    assert.equal(alone.notify_reminder, 300);
    assert.deepEqual(
      [edited({ by_sms: false }).notify_timeout, edited({ by_agents: false }).notify_timeout],
      [600, 600],
    );
  });

  it('notifies by SMS without a template, and nobody at all with nothing but null', () => {
    const bySms = edited({ notify_type: 'SMS', by_sms: false, by_agents: false });
    assert.deepEqual(
      [bySms.notify_type, bySms.notify_sms_from, 'notify_chatapp_template_name' in bySms],
      ['SMS', 'Agency', false],
    );
    const nobody = Object.entries(edited({ notified: false })).filter(([name]) => name.startsWith('notify_'));
    assert.deepEqual(nobody, [['notify_type', null]]);
  });

  it('takes an empty time for none', () => {
    const body = edited({ notify_delay: '', notify_timeout: '', notify_reminder: '' });
    assert.deepEqual([body.notify_delay, body.notify_timeout, body.notify_reminder], [0, 0, 0]);
  });

  it('sends the other intro with START alone, and no action without an id', () => {
    const button_actions = [
      { id: 'yes', action: 'END', chat_intro: other },
      { id: '', action: 'NOTIFY', chat_intro: '' },
      { id: 'rent', action: 'START', chat_intro: '' },
    ] as const;
    assert.deepEqual(edited({ button_actions: [...button_actions] }).button_actions, {
      yes: { action: 'END' },
      rent: { action: 'START' },
    });
  });

  it('shows what the API says of a button at that button', () => {
    const error = new ApiProblem(400, { button_actions: { rent: { chat_intro: ['Not found.'] } } });
    const moved = rename(error, formOf(stored)) as ApiProblem;
    assert.deepEqual(moved.fields, { 'button_actions.1.chat_intro': 'Not found.' });
  });
});

describe('What can be tapped in a chat intro', () => {
  const buttons = (...ids: string[]): InteractiveForm => {
    const form = blankInteractive('button');
    form.body.text = 'Choose';
    form.action.buttons = ids.map((id, index) => ({ title: `Title ${index}`, id }));
    return form;
  };
  const rows = (...sections: string[][]): InteractiveForm => {
    const form = blankInteractive('list');
    form.body.text = 'Choose';
    form.action.button = 'Open';
    form.action.sections = sections.map((ids) => ({
      title: 'Section',
      rows: ids.map((id) => ({ title: 'Row', description: '', id })),
    }));
    return form;
  };
  const sentIds = (form: InteractiveForm): (string | undefined)[] => {
    const { action } = fillInteractive(interactiveOf(form), 'INTERACTIVE', makeFiller({}), '') as {
      action: { buttons?: { id?: string }[]; sections?: { rows: { id?: string }[] }[] };
    };
    return [...(action.buttons ?? []), ...(action.sections ?? []).flatMap((section) => section.rows)].map(
      ({ id }) => id,
    );
  };

  it('has the id that the server sends, whether the author set one or not', () => {
    const forms = [buttons('', 'no', ''), buttons('button-2', ''), rows(['', 'rent'], ['', '']), rows(['row-2'], [''])];
    for (const form of forms)
      assert.deepEqual(
        tapsIn(form).map(({ id }) => id),
        sentIds(form),
      );
    assert.deepEqual(
      tapsIn(forms[0]!).map(({ id }) => id),
      ['button-1', 'no', 'button-3'],
    );
  });

  it('is the reply, the other reply and the buttons of templates, each id once', () => {
    const form: IntroForm = {
      ...blankIntro(),
      reply_type: 'QUICK_REPLY',
      reply_data: buttons('', 'no'),
      alternative: true,
      reply_alt: { type: 'LIST', filter: [], chatapp_components: rows(['no', '']) },
      notified: true,
      notify: {
        ...blankTemplate('new_lead'),
        buttons: [{ index: 0, sub_type: 'quick_reply', text: 'mine', kept: undefined }],
      },
    };
    assert.deepEqual(tapsOf(form), [
      { id: 'button-1', title: 'Title 0' },
      { id: 'no', title: 'Title 1 / Row' },
      { id: 'row-2', title: 'Row' },
      { id: 'mine', title: 'Button 1 of new_lead' },
    ]);
    const bySms = tapsOf({ ...form, alternative: false, notify_type: 'SMS' });
    assert.deepEqual(
      bySms.map(({ id }) => id),
      ['button-1', 'no'],
    );
    assert.deepEqual(tapsOf({ ...blankIntro(), reply_type: 'QUICK_REPLY' }), []);
  });
});
