import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyValidator, ignoredFields } from '../../../platform/http/validation/index.ts';
import { MessageCreate } from '../schemas.ts';

const check = bodyValidator(MessageCreate);
const ignored = ignoredFields(MessageCreate);
const message = (type: string, media: unknown) => ({
  chatapp_number: '+447700900001',
  to_chatapp_number: '+447700901234',
  type,
  media,
});
const url = 'https://a.example/1';
const media_uuid = '01890000-0000-7000-8000-000000000000';

for (const type of ['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER']) {
  describe(`The file of a message of type ${type}`, () => {
    it('is at an address or was uploaded, and not both', () => {
      assert.equal(check(message(type, { url })), null);
      assert.equal(check(message(type, { media_uuid })), null);
      assert.deepEqual(check(message(type, {})), { media: ['Give url or link or media_uuid.'] });
      assert.deepEqual(check(message(type, { link: url, media_uuid })), {
        media: ['Give link or media_uuid, not both.'],
      });
      assert.deepEqual(check(message(type, { url, media_uuid })), { media: ['Give url or media_uuid, not both.'] });
      assert.deepEqual(check(message(type, { media_uuid: '1' })), { media: { media_uuid: ['Must be a valid UUID.'] } });
    });

    it('may be at a link, as the platform says, which is kept as it came', () => {
      const request = message(type, { link: url });
      assert.deepEqual([check(request), ignored(request), request.media], [null, [], { link: url }]);
      assert.deepEqual(check(message(type, { url, link: url })), { media: ['Give url or link, not both.'] });
      assert.deepEqual(check(message(type, { link: 'x' })), { media: { link: ['Enter a valid URL.'] } });
    });

    it('has no unknown fields: they are named and left out', () => {
      const request = message(type, { media_uuid, captoin: 'Our garden' });
      assert.deepEqual([ignored(request), request.media], [['media.captoin'], { media_uuid }]);
    });
  });
}

it('Audio and stickers have no caption', () => {
  for (const type of ['AUDIO', 'STICKER'])
    assert.deepEqual(ignored(message(type, { url, caption: 'x' })), ['media.caption']);
});
