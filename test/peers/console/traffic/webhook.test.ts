import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

const business = '+447700900001';

describe('A webhook that fails, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  let answer = { status: 500, text: 'the database is away' };
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push(body);
      response.writeHead(answer.status).end(answer.text);
    });
  });
  before(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    stage = await openStage();
  });
  after(async () => {
    receiver.close();
    await stage?.close();
  });

  it('is made, shows its delivery with the answer, and gets it again once the receiver works', async () => {
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const page = await stage.signedIn('/webhooks');
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByLabel('URL').fill(hook);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('dialog');
    await secret
      .getByText(/whsec_/)
      .first()
      .waitFor();
    await secret.getByRole('button', { name: 'I have copied it' }).click();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByText('Failed (500)').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).click();
    const row = page.getByRole('row').filter({ hasText: 'test.ping' });
    await row.filter({ hasText: '500' }).waitFor();
    await row.getByText('test.ping').click();
    await page.getByRole('heading', { level: 1, name: 'test.ping' }).waitFor();
    await page.getByText('Answered 500').first().waitFor();
    await page.getByText('the database is away').first().waitFor();

    answer = { status: 200, text: 'thank you' };
    await page.getByRole('button', { name: 'Redeliver' }).click();
    // The delivery is also tried again by itself.
    await page.getByText('Answered 200').first().waitFor();
    await page.getByText('Succeeded').first().waitFor();
    assert.ok(received.length >= 2);
    assert.equal(new Set(received).size, 1, 'the same event is sent again');

    await stage.post('/v2/chatapp/accounts/', { chatapp_number: business });
    const text = {
      chatapp_number: business,
      to_chatapp_number: '+447700900123',
      type: 'TEXT',
      text: { body: 'Hello' },
    };
    const message = await stage.post('/v2/chatapp/messages/', text);
    await page.goto(`${stage.url}/console/messages/${message.uuid}`);
    await page.getByRole('main').getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('row').filter({ hasText: 'chatapp.message.status' }).first().waitFor();
    assert.equal(await row.count(), 0, 'what tells of something else is not there');
    assert.deepEqual(stage.problems, []);
  });
});
