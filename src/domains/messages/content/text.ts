import { Type } from 'typebox';

export const Text = Type.Object({
  body: Type.String({ minLength: 1, maxLength: 4096 }),
  preview_url: Type.Optional(Type.Boolean({ description: 'Whether the first link is shown with a preview.' })),
});
