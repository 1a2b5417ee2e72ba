import { type Static, Type } from 'typebox';
import type { Deps } from '../../deps.ts';

/** A template that tells somebody of the account what a person wrote. */
export const NotifyTemplate = Type.Object(
  {
    template_name: Type.String({ minLength: 1, maxLength: 512 }),
    language_code: Type.Optional(Type.String({ minLength: 2, maxLength: 20 })),
    parameters: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 20,
        description: 'Of its body. `{{text}}`, `{{from}}` and `{{number}}` (written to) are filled in.',
        examples: [['{{from}}', '{{text}}']],
      }),
    ),
  },
  { title: 'NotifyTemplate' },
);
export type NotifyTemplate = Static<typeof NotifyTemplate>;

/** The template for agents who have none of their own. */
export async function findNotifyTemplate({ db }: Pick<Deps, 'db'>, accountId: string): Promise<NotifyTemplate | null> {
  const row = await db
    .selectFrom('accounts')
    .select('notify_template')
    .where('uuid', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.notify_template as NotifyTemplate | null;
}
