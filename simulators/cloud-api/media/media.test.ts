import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';
import { parseMultipart } from './multipart.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
});
after(() => stage.close());

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

function formOf(bytes: Uint8Array<ArrayBuffer>, type: string, product = 'whatsapp'): FormData {
  const form = new FormData();
  form.set('messaging_product', product);
  form.set('type', type);
  form.set('file', new Blob([bytes], { type }), 'a.bin');
  return form;
}
const upload = (bytes: Uint8Array<ArrayBuffer> = png, type = 'image/png', product?: string) =>
  stage.call('POST', `${stage.number}/media`, formOf(bytes, type, product));
const authorization = () => ({ authorization: `Bearer ${stage.simulator.token}` });

describe('Media', () => {
  it('is uploaded, described, downloaded with the token alone, and deleted', async () => {
    const { id } = (await upload()).body;
    assert.match(id, /^\d+$/);
    const { body } = await stage.call('GET', id);
    assert.equal(body.mime_type, 'image/png');
    assert.equal(body.file_size, '11');
    assert.equal((await fetch(body.url)).status, 401);
    const file = await fetch(body.url, { headers: authorization() });
    assert.equal(file.headers.get('content-type'), 'image/png');
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(png));
    assert.deepEqual((await stage.call('DELETE', id)).body, { success: true });
    assert.equal((await stage.call('GET', id)).body.error.error_subcode, 33);
    assert.equal((await fetch(body.url, { headers: authorization() })).status, 404);
  });

  it('a link is stale after five minutes, an upload after 30 days', async () => {
    const { id } = (await upload()).body;
    const { url } = (await stage.call('GET', id)).body;
    stage.simulator.advance(5 * 60_000 + 1);
    assert.equal((await fetch(url, { headers: authorization() })).status, 404);
    stage.simulator.advance(30 * 24 * 3_600_000);
    assert.equal((await stage.call('GET', id)).body.error.error_subcode, 33);
  });

  it('is refused when its type is not taken, when it is too large, empty, or says no product', async () => {
    assert.match((await upload(png, 'image/gif')).body.error.error_data.details, /image\/gif/);
    assert.match(
      (await upload(Buffer.alloc(600 * 1024), 'image/webp')).body.error.error_data.details,
      /limited to 512000/,
    );
    assert.equal((await upload(Buffer.alloc(0))).body.error.code, 100);
    assert.equal((await upload(png, 'image/png', 'sms')).body.error.code, 100);
    assert.equal((await stage.call('POST', `${stage.number}/media`, { file: 1 })).body.error.code, 100);
  });

  it('an unknown id is refused in a message; a file that is not what its type says fails with 131053', async () => {
    stage.simulator.person('+34600111222').writes('hi');
    const send = (image: object) => stage.send({ type: 'image', image });
    assert.equal((await send({ id: '123' })).body.error.code, 100);
    stage.simulator.settings.brokenLinks.push('https://x.example/gone.png');
    const fake = (await upload(Buffer.from('not a picture'), 'image/png')).body.id;
    const sent = [await send({ id: fake }), await send({ link: 'https://x.example/gone.png' })];
    const statuses = await stage.statuses();
    for (const { body } of sent) {
      const status = statuses.find(({ id }) => id === body.messages[0].id);
      assert.equal(status?.errors?.[0]?.code, 131053);
    }
    const good = (await upload()).body.id;
    const { body } = await send({ id: good });
    assert.ok((await stage.statuses()).some(({ id, status }) => id === body.messages[0].id && status === 'read'));
  });
});

describe('A resumable upload', () => {
  it('takes bytes in pieces and ends in a handle that a template can use', async () => {
    const app = stage.simulator.world.app.id;
    const opened = await stage.call(
      'POST',
      `${app}/uploads?file_name=a.png&file_length=${png.length}&file_type=image/png`,
    );
    const path = opened.body.id;
    assert.match(path, /^upload:\w+\?sig=/);
    const oauth = { authorization: `OAuth ${stage.simulator.token}` };
    const bytes = (piece: Buffer<ArrayBuffer>, file_offset: string) =>
      stage.call('POST', path, piece, { ...oauth, file_offset });
    assert.equal((await bytes(png.subarray(0, 4), '0')).body.file_offset, 4);
    assert.equal((await stage.call('GET', path, undefined, oauth)).body.file_offset, 4);
    assert.equal((await bytes(png.subarray(4), '0')).body.error.code, 100, 'not from the beginning again');
    const { h } = (await bytes(png.subarray(4), '4')).body;
    assert.match(h, /^4::aW1hZ2UvcG5n:/);
    const components = [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
      { type: 'BODY', text: 'Look at this' },
    ];
    const draft = { name: 'picture', language: 'es', category: 'MARKETING', components };
    assert.equal((await stage.call('POST', `${stage.account}/message_templates`, draft)).status, 200);
  });
});

describe('The multipart parser', () => {
  it('keeps bytes that look like a boundary inside a file', () => {
    const content = 'a--b\r\n--bx'.replace('--bx', '-- b');
    const body = Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--b--\r\n`,
    );
    const [part] = parseMultipart(body, 'b');
    assert.deepEqual(
      { ...part, content: part?.content.toString() },
      { name: 'file', filename: 'x', type: 'text/plain', content },
    );
  });

  it('refuses what has no end, no name or no headers', () => {
    for (const body of ['', '--b\r\n', '--b\r\nno headers\r\n--b--', '--b\r\nX: y\r\n\r\nz\r\n--b--']) {
      assert.throws(() => parseMultipart(Buffer.from(body), 'b'), { code: 100 }, JSON.stringify(body));
    }
  });
});
