import { Type } from 'typebox';
import { originOf } from '../../../platform/config.ts';
import { ChatIntroCreate, OnDuplicate, saveIntro } from '../../intros/index.ts';
import { itemKind } from '../kind.ts';

/** Creates chat intros, or replaces those with the same reference. */
export const chatIntrosUpsert = itemKind({
  type: 'chat_intros.upsert',
  scope: 'chatapp:write',
  Input: Type.Object(
    {
      items: Type.Array(ChatIntroCreate, { minItems: 1, maxItems: 10_000 }),
      on_duplicate: Type.Optional(Type.Unsafe<OnDuplicate>({ ...OnDuplicate, default: 'update' })),
    },
    { title: 'ChatIntrosUpsertInput', description: 'An item without a `reference_id` is always new.' },
  ),
  batchSize: 50,
  itemsOf: ({ items, on_duplicate = 'update' }) => items.map((item) => ({ item, onDuplicate: on_duplicate })),
  async perform(deps, accountId, items) {
    const saved: PromiseSettledResult<unknown>[] = [];
    for (const { item, onDuplicate } of items) {
      const { row, isNew } = await saveIntro(deps, accountId, item, onDuplicate);
      const value = {
        uuid: row.uuid,
        reference_id: row.reference_id,
        chat_link: `../l/${row.shortcode}`,
        chat_url: `${originOf(deps.config)}/l/${row.shortcode}`,
        created: isNew,
      };
      saved.push({ status: 'fulfilled', value });
    }
    return saved;
  },
});
