/** One person, many spellings of their number: on every channel, in every place, all of them mean that person. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWindows } from '../cloud/outbound-props.ts';
import { startCloudStage } from '../cloud/stage.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { startStage } from '../kit/sms/sms-stage.ts';
import { until } from '../kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const business = '+447700900001';
/** As people in Britain write a number of theirs, which is where the account is. */
const spellingsOf = (national: string): string[] => [
  `+44${national}`,
  `0044${national}`,
  `0${national}`,
  `+44 (0)${national.slice(0, 4)} ${national.slice(4)}`,
  `44${national}`,
  `+44 ${national.slice(0, 4)}-${national.slice(4, 7)} ${national.slice(7)}`,
  `(0${national.slice(0, 4)}) ${national.slice(4)}`,
  `+440${national}`,
  national,
];

const post = (url: string, body: object) => app.call('POST', url, body);
const get = async (url: string) => (await app.call('GET', url)).body;
const template = { type: 'TEMPLATE', template: { template_name: 'offer' } };
const chatTo = (to: string) => ({ chatapp_number: business, to_chatapp_number: to, ...template });
const smsTo = (to: string) => ({ from: business, to, text: 'Hello' });

type Outcome = [status: number, code: string | undefined];
const outcomeOf = ({ status, body }: { status: number; body: { code?: string } }): Outcome => [status, body.code];
const batchOutcome = async (request: object): Promise<Outcome> => {
  const [{ errors }] = (await post('/v2/send-sms/multiple/', request)).body.results;
  return [errors ? 400 : 201, errors?.code];
};

/** Ways to reach somebody. */
const ways: Record<string, (to: string) => Promise<Outcome>> = {
  SMS: async (to) => outcomeOf(await post('/v2/send-sms/', smsTo(to))),
  'SMS in a batch': (to) => batchOutcome({ messages: [smsTo(to)] }),
  'one text in a batch': (to) => batchOutcome({ from: business, to: [to], text: 'Hello' }),
  chat: async (to) => outcomeOf(await post('/v2/chatapp/messages/', chatTo(to))),
  voice: async (to) => outcomeOf(await post('/v2/voice/calls/', { from: business, to, tts: 'Hello' })),
};

describe('whoever opted out', () => {
  for (const [place, name] of spellingsOf('7733888881').entries()) {
    test(`by ${name} is refused in every other spelling, on SMS, chat and voice, and found in the list`, async () => {
      const national = `77338888${10 + place}`;
      const by = spellingsOf(national)[place]!;
      const { status, body } = await post('/v2/opt-outs/', { phone_number: by });
      assert.deepEqual([status, body.phone_number], [201, by], 'shown as it was written');
      for (const to of spellingsOf(national)) {
        for (const [way, reach] of Object.entries(ways)) {
          assert.deepEqual(await reach(to), [400, 'recipient_opted_out'], `${way} to ${to}`);
        }
        const found = await get(`/v2/opt-outs/?number=${encodeURIComponent(to)}`);
        assert.deepEqual(found.results, [body], `the list by ${to}`);
      }
    });
  }

  test('is opted out once, however often and in whichever spelling', async () => {
    const uuids = new Set<string>();
    for (const phone_number of spellingsOf('7733888840')) {
      uuids.add((await post('/v2/opt-outs/', { phone_number })).body.uuid);
    }
    assert.equal(uuids.size, 1);
  });

  test('is skipped by campaigns, whichever spelling the contact has', async () => {
    const people = spellingsOf('').map((_, place) => `77338888${50 + place}`);
    const { body: list } = await post('/v2/lists/', { name: 'All' });
    for (const [place, national] of people.entries()) {
      const spellings = spellingsOf(national);
      await post('/v2/opt-outs/', { phone_number: spellings[(place + 3) % spellings.length]! });
      const contact = await post('/v2/contacts/', { phone_number: spellings[place]!, lists: [list.uuid] });
      assert.equal(contact.status, 201);
    }
    for (const channel of ['SMS', 'CHATAPP']) {
      const sender = { channel, sender: '07700 900001', text: 'Hello', lists: [list.uuid], quiet_hours: false };
      const { body: campaign } = await post('/v2/campaigns/', { name: channel, ...sender });
      const { status, body: log } = await post(`/v2/campaigns/${campaign.uuid}/launch/`, {});
      assert.equal(status, 201);
      const { audience, opted_out } = await until(
        () => get(`/v2/campaign-logs/${log.uuid}/`),
        (one) => one.status === 'COMPLETED',
      );
      assert.deepEqual([audience, opted_out], [people.length, people.length], channel);
    }
  });
});

describe('a number in any spelling', () => {
  test('is one contact, one person on a list, and found by every spelling', async () => {
    const spellings = spellingsOf('7733888870');
    const { status, body } = await post('/v2/contacts/', { phone_number: spellings[2]! });
    assert.deepEqual([status, body.phone_number], [201, spellings[2]]);
    const { body: list } = await post('/v2/lists/', { name: 'One' });
    for (const phone_number of spellings) {
      const again = await post('/v2/contacts/', { phone_number });
      assert.deepEqual(
        again.body,
        { phone_number: ['A contact with this phone number already exists.'] },
        phone_number,
      );
      const found = await get(`/v2/contacts/?phone_number=${encodeURIComponent(phone_number)}`);
      assert.deepEqual(
        found.results.map((one: { uuid: string }) => one.uuid),
        [body.uuid],
        phone_number,
      );
    }
    const added = await post(`/v2/lists/${list.uuid}/contacts/`, { phone_numbers: spellings });
    assert.equal(added.body.contact_count, 1);
  });

  test('is one lead’s, and what was sent is found by it', async () => {
    const spellings = spellingsOf('7733888871');
    for (const phone_number of spellings) {
      const { status, body } = await post('/v2/chatapp/leads/', { chatapp_number: business, phone_number });
      assert.deepEqual([status, body.phone_number], [201, phone_number]);
      assert.equal((await post('/v2/chatapp/messages/', chatTo(phone_number))).body.to_chatapp_number, phone_number);
      assert.equal((await post('/v2/send-sms/', smsTo(phone_number))).body.to, phone_number);
    }
    for (const number of spellings.map(encodeURIComponent)) {
      assert.equal((await get(`/v2/chatapp/leads/?number=${number}`)).count, spellings.length);
      assert.equal((await get(`/v2/chatapp/messages/?to=${number}`)).count, spellings.length);
      assert.equal((await get(`/v2/sms-records/?to=${number}`)).count, spellings.length);
    }
  });

  test('is dialled and written to as an international one', async () => {
    const spellings = spellingsOf('7733888872');
    for (const to of spellings) {
      for (const [way, reach] of Object.entries(ways)) assert.equal((await reach(to))[0], 201, `${way} to ${to}`);
    }
    const onPhone = await until(
      () => get('/v2/sandbox/phones/07733888872/?page_size=200'),
      ({ count }) => count === 4 * spellings.length,
    );
    assert.equal(onPhone.count, 4 * spellings.length);
    const legs = await until(
      () => get('/v2/sandbox/calls/?number=07733888872&page_size=200'),
      ({ count }) => count === spellings.length,
    );
    assert.deepEqual(new Set(legs.results.map((leg: { phone: string }) => leg.phone)), new Set(['+447733888872']));
  });

  test('is one chat-app account, whose intros and links lead to it', async () => {
    const [plain, ...others] = spellingsOf('7733888873');
    const made = await post('/v2/chatapp/accounts/', { chatapp_number: others[1]! });
    assert.deepEqual([made.status, made.body.chatapp_number], [201, others[1]]);
    for (const chatapp_number of [plain!, ...others]) {
      assert.equal((await post('/v2/chatapp/accounts/', { chatapp_number })).status, 400, chatapp_number);
      const found = await get(`/v2/chatapp/accounts/?chatapp_number=${encodeURIComponent(chatapp_number)}`);
      assert.deepEqual(found.results, [made.body]);
      const sent = await post('/v2/chatapp/messages/', { ...chatTo('+447700900123'), chatapp_number });
      assert.deepEqual([sent.status, sent.body.chatapp_number], [201, chatapp_number]);
    }
    assert.equal((await get(`/v2/chatapp/messages/?chatapp_number=${encodeURIComponent(plain!)}`)).count, 9);
  });

  test('begins one session of an intro, and its B hears by any spelling unless they opted out', async () => {
    const { body: intro } = await post('/v2/chatapp/chat-intros/', {
      chatapp_number: '07700 900001',
      expected_message_template: 'About the flat',
      intro_bparty_number: '07733 888875',
      intro_message_aparty: 'Hello',
      notify_type: 'CHATAPP',
      notify_to_phone_number: '07733 888875',
      notify_chatapp_template_name: 'new_lead',
    });
    assert.equal(intro.notify_data.to_phone_number, '07733 888875');
    const sessions = new Set<string>();
    for (const aparty_number of spellingsOf('7733888874')) {
      const { status, body } = await post(`/v2/chatapp/chat-intros/${intro.uuid}/start/`, { aparty_number });
      assert.ok(status === 201 || status === 200, `${aparty_number}: ${status} ${JSON.stringify(body)}`);
      sessions.add(body.uuid);
    }
    assert.equal(sessions.size, 1);
    await until(
      () => get('/v2/sandbox/phones/447733888875/'),
      ({ count }) => count === 1,
    );
    const own = await post(`/v2/chatapp/chat-intros/${intro.uuid}/start/`, { aparty_number: '(07700) 900001' });
    assert.deepEqual(own.body, { aparty_number: ['This is the number of the business itself.'] });
  });

  test('is one of one’s numbers: bought, changed, found by its target and released', async () => {
    const [{ number }] = (await get('/v2/number/search/?country_code=GB')).results;
    const spellings = spellingsOf(number.slice(3));
    const bought = await post('/v2/number/', { number: spellings[2]!, target_number: '07733 888879' });
    assert.deepEqual([bought.status, bought.body.number, bought.body.target_number], [201, number, '07733 888879']);
    for (const spelling of spellings.map(encodeURIComponent)) {
      assert.equal((await get(`/v2/number/${spelling}/`)).number, number);
      const changed = await app.call('PATCH', `/v2/number/${spelling}/`, { call_tracking: spelling });
      assert.equal(changed.body.call_tracking, spelling);
    }
    for (const target of spellingsOf('7733888879').map(encodeURIComponent)) {
      assert.equal((await get(`/v2/number/?target_number=${target}`)).count, 1, target);
    }
    const bulk = await app.call('PATCH', '/v2/number/bulk/', [
      { number: spellings[1], target_number: '' },
      { number: spellings[3], target_number: '' },
    ]);
    assert.deepEqual(bulk.body, [{}, { number: ['This number appears more than once.'] }]);
    assert.equal((await app.call('DELETE', `/v2/number/${encodeURIComponent(spellings[6]!)}/`)).status, 204);
  });

  test('is answered with 400 at its field where it cannot exist in the country of the account', async () => {
    const sentence = ['Enter a valid phone number.'];
    for (const wrong of ['01234', '0773388888112345', '+1234567890123456', '1234', 'mum']) {
      const answers = [
        [await post('/v2/send-sms/', smsTo(wrong)), 'to'],
        [await post('/v2/chatapp/messages/', chatTo(wrong)), 'to_chatapp_number'],
        [await post('/v2/voice/calls/', { from: business, to: wrong }), 'to'],
        [await post('/v2/opt-outs/', { phone_number: wrong }), 'phone_number'],
        [await post('/v2/contacts/', { phone_number: wrong }), 'phone_number'],
        [await post('/v2/chatapp/leads/', { chatapp_number: business, phone_number: wrong }), 'phone_number'],
        [await app.call('GET', `/v2/opt-outs/?number=${encodeURIComponent(wrong)}`), 'number'],
      ] as const;
      for (const [{ status, body }, field] of answers) {
        assert.deepEqual([status, body], [400, { [field]: sentence }], `${wrong} as ${field}`);
      }
      const batch = await post('/v2/send-sms/multiple/', { messages: [smsTo(wrong), smsTo('07733 888876')] });
      assert.deepEqual(batch.body.results[0], { errors: { to: sentence } });
      assert.equal(batch.body.results[1].to, '07733 888876');
    }
    const agent = await post('/v2/agent-configs/', { name: 'Ana', numbers: ['sip:ana@example.com', '01234'] });
    assert.deepEqual(agent.body, { numbers: { 1: ['Enter a phone number or a SIP address.'] } });
  });

  test('is read with the country that the account has', async () => {
    await app.call('PATCH', '/v2/account/', { default_country: 'US' });
    try {
      await post('/v2/opt-outs/', { phone_number: '(415) 555-2671' });
      for (const to of ['+14155552671', '0014155552671', '14155552671', '415-555-2671', '+1 (415) 555-2671']) {
        for (const [way, reach] of Object.entries(ways)) {
          assert.deepEqual(await reach(to), [400, 'recipient_opted_out'], `${way} to ${to}`);
        }
      }
      assert.equal((await post('/v2/send-sms/', smsTo('07733 888877'))).status, 400);
    } finally {
      await app.call('PATCH', '/v2/account/', { default_country: 'GB' });
    }
  });
});

describe('what a carrier is handed', () => {
  test('over a link is the international number, whichever way the SMS leaves', async () => {
    const own = await startTestApp({ ROLES: 'api' });
    const stage = await startStage(own);
    try {
      const spellings = spellingsOf('7733888890');
      // At once, and from the queue.
      for (const to of spellings) await stage.send('at once', { to });
      await stage.setOpen(false);
      for (const to of spellings) await stage.send('later', { to });
      await stage.setOpen(true);
      await until(
        () => stage.peer.got,
        ({ length }) => length === 2 * spellings.length,
      );
      assert.deepEqual(new Set(stage.peer.got.map(({ to }) => to)), new Set(['+447733888890']));
    } finally {
      await stage.stop();
      await own.close();
    }
  });

  test('by the chat platform is the international number', async () => {
    const stage = await startCloudStage();
    try {
      await openWindows(stage, ['+447733888891']);
      const spellings = spellingsOf('7733888891');
      for (const to_chatapp_number of spellings) {
        const { status, body } = await stage.send({ to_chatapp_number, type: 'TEXT', text: { body: 'Hello' } });
        assert.deepEqual([status, body['to_chatapp_number']], [201, to_chatapp_number]);
      }
      const got = () =>
        stage.simulator
          .person('+447733888891')
          .messages()
          .filter(({ direction }) => direction === 'out');
      await until(got, ({ length }) => length === spellings.length);
    } finally {
      await stage.close();
    }
  });
});
