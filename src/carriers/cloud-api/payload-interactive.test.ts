import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Connected, startConnected } from '../../../test/kit/cloud-api/connector.ts';
import { newId } from '../../platform/ids.ts';

let platform: Connected;
let flow: { id: string; name: string };
before(async () => {
  platform = await startConnected();
  flow = await publishedFlow();
});
after(() => platform.close());

async function publishedFlow() {
  const done = { name: 'complete', payload: {} };
  const children = [{ type: 'Footer', label: 'Go', 'on-click-action': done }];
  const layout = { type: 'SingleColumnLayout', children };
  const screen = { id: 'FIRST', title: 'First', terminal: true, success: true, layout };
  const flow_json = JSON.stringify({ version: '7.3', screens: [screen] });
  const body = { name: 'survey', categories: ['SURVEY'], flow_json, publish: true };
  const answer = await fetch(`${platform.simulator.url}/v26.0/${platform.simulator.accountId}/flows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.simulator.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { id: ((await answer.json()) as { id: string }).id, name: 'survey' };
}

/** What the platform got for an interactive message that it took. */
async function sent(interactive: object, carrierIds = new Map<string, string>()): Promise<unknown> {
  const outcome = await platform.send({ type: 'INTERACTIVE', content: { interactive }, carrierIds });
  assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome));
  return platform.payloads().at(-1).interactive;
}

const body = { text: 'Choose' };
const footer = { text: 'Demo' };
const link = 'https://x.example/1';

describe('The payload of an interactive message', () => {
  it('quick replies, in the short form and in the platform’s', async () => {
    const short = { type: 'reply', title: 'Yes', id: 'y' };
    const long = { type: 'reply', reply: { id: 'n', title: 'No' } };
    assert.deepEqual(await sent({ type: 'button', body, footer, action: { buttons: [short, long] } }), {
      type: 'button',
      body,
      footer,
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'y', title: 'Yes' } },
          { type: 'reply', reply: { id: 'n', title: 'No' } },
        ],
      },
    });
  });

  const headers: [string, object, object][] = [
    ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
    ['image by url', { type: 'image', image: { url: link } }, { type: 'image', image: { link } }],
    ['video by link', { type: 'video', video: { link } }, { type: 'video', video: { link } }],
    [
      'document with its name',
      { type: 'document', document: { url: link, filename: 'a.pdf' } },
      { type: 'document', document: { link, filename: 'a.pdf' } },
    ],
  ];
  for (const [title, given, expected] of headers) {
    it(`a header: ${title}`, async () => {
      const buttons = [{ type: 'reply', title: 'Yes', id: 'y' }];
      const { header } = (await sent({ type: 'button', header: given, body, action: { buttons } })) as {
        header: object;
      };
      assert.deepEqual(header, expected);
    });
  }

  it('a header by file, and by the platform’s own id', async () => {
    const media_uuid = newId();
    const buttons = [{ type: 'reply', title: 'Yes', id: 'y' }];
    const withHeader = (image: object) => ({
      type: 'button',
      header: { type: 'image', image },
      body,
      action: { buttons },
    });
    const message = (image: object) =>
      platform.send({
        type: 'INTERACTIVE',
        content: { interactive: withHeader(image) },
        carrierIds: new Map([[media_uuid, '77']]),
      });
    for (const image of [{ media_uuid }, { id: '77' }]) {
      // Nobody uploaded a file 77: that the platform looks for it shows that it was named so.
      const outcome = await message(image);
      assert.match(JSON.stringify(outcome), /image.*id.*is not a valid whatsapp business account media attachment ID/);
      assert.deepEqual(platform.payloads().at(-1).interactive.header, { type: 'image', image: { id: '77' } });
    }
  });

  it('a list', async () => {
    const rows = [
      { id: 'a', title: 'A', description: '' },
      { id: 'b', title: 'B', description: 'Second' },
    ];
    const header = { type: 'text', text: 'Pick' };
    const action = { button: 'Open', sections: [{ title: 'One', rows }] };
    assert.deepEqual(await sent({ type: 'list', header, body, footer, action }), {
      type: 'list',
      header,
      body,
      footer,
      action: {
        button: 'Open',
        sections: [
          {
            title: 'One',
            rows: [
              { id: 'a', title: 'A' },
              { id: 'b', title: 'B', description: 'Second' },
            ],
          },
        ],
      },
    });
  });

  it('a link', async () => {
    const parameters = { display_text: 'Open', url: link };
    const header = { type: 'image', image: { url: link } };
    assert.deepEqual(await sent({ type: 'cta_url', header, body, footer, action: { parameters } }), {
      type: 'cta_url',
      header: { type: 'image', image: { link } },
      body,
      footer,
      action: { name: 'cta_url', parameters },
    });
  });

  it('a flow by id, with all it can have', async () => {
    const parameters = {
      flow_id: flow.id,
      flow_cta: 'Start',
      mode: 'published',
      flow_token: 'tok',
      flow_action: 'navigate',
      flow_action_payload: { screen: 'FIRST', data: { name: 'Ana' } },
    };
    assert.deepEqual(await sent({ type: 'flow', body, action: { parameters } }), {
      type: 'flow',
      body,
      action: { name: 'flow', parameters: { ...parameters, flow_message_version: '3' } },
    });
  });

  it('a flow by name, with as little as it can have', async () => {
    const parameters = { flow_name: flow.name, flow_cta: 'Start', flow_token: '' };
    assert.deepEqual(await sent({ type: 'flow', body, action: { name: 'flow', parameters } }), {
      type: 'flow',
      body,
      action: { name: 'flow', parameters: { flow_name: flow.name, flow_cta: 'Start', flow_message_version: '3' } },
    });
  });

  it('a request for a location', async () => {
    const action = { name: 'send_location' };
    const message = { type: 'location_request_message', body, action };
    assert.deepEqual(await sent(message), message);
  });
});
