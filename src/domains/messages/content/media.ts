import { Type } from 'typebox';

const url = Type.String({ format: 'uri', maxLength: 2048, description: 'Where the platform fetches it.' });
const caption = Type.Optional(Type.String({ maxLength: 1024 }));

/** Audio and stickers. */
export const Media = Type.Object({ url });
/** Images and videos. */
export const CaptionedMedia = Type.Object({ url, caption });
export const DocumentMedia = Type.Object({
  url,
  caption,
  filename: Type.Optional(
    Type.String({ minLength: 1, maxLength: 240, description: 'Shown to the person; its ending picks the icon.' }),
  ),
});
