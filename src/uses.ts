import type { Uses } from './deps.ts';
import { isSenderOfIntro } from './domains/intros/index.ts';
import { hasMessages } from './domains/messages/index.ts';
import { isWebhookOfNumber, numbersPlaying } from './domains/numbers/index.ts';
import { configsPlaying } from './domains/routing/index.ts';

/** What upper floors use of lower ones, asked before it is deleted there. */
export const uses: Uses = {
  sender: async (db, accountId, uuid) =>
    (await hasMessages(db, accountId, uuid)) || (await isSenderOfIntro(db, accountId, uuid)),
  webhook: isWebhookOfNumber,
  async audioFiles(db, accountId, files, most) {
    const numbers = await numbersPlaying(db, accountId, files, most);
    const configs = await configsPlaying(db, accountId, files, most);
    return new Map(
      files.map(({ uuid }) => [uuid, [...(numbers.get(uuid) ?? []), ...(configs.get(uuid) ?? [])].slice(0, most)]),
    );
  },
};
