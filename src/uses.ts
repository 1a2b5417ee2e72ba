import type { Uses } from './deps.ts';
import { moveFlows } from './domains/flows/index.ts';
import { isSenderOfIntro, moveIntros } from './domains/intros/index.ts';
import { forgetUploads } from './domains/media/index.ts';
import { hasMessages, markAccount as markMessages, moveSender } from './domains/messages/index.ts';
import { isWebhookOfNumber, numbersPlaying } from './domains/numbers/index.ts';
import { configsPlaying } from './domains/routing/index.ts';
import { markAccount as markSms } from './domains/sms/index.ts';
import { moveTemplates } from './domains/templates/index.ts';

/** What upper floors use of lower ones, asked before it is deleted there, and what they do when that changes. */
export const uses: Uses = {
  sender: async (db, accountId, uuid) =>
    (await hasMessages(db, accountId, uuid)) || (await isSenderOfIntro(db, accountId, uuid)),
  async senderMoves(deps, accountId, uuid) {
    await moveSender(deps, accountId, uuid);
    await moveIntros(deps, accountId, uuid);
    await moveTemplates(deps, accountId, uuid);
    await moveFlows(deps, accountId, uuid);
    await forgetUploads(deps.db, accountId, uuid);
  },
  async clockMoves(db, accountId) {
    await markMessages(db, accountId);
    await markSms(db, accountId);
  },
  webhook: isWebhookOfNumber,
  async audioFiles(db, accountId, files, most) {
    const numbers = await numbersPlaying(db, accountId, files, most);
    const configs = await configsPlaying(db, accountId, files, most);
    return new Map(
      files.map(({ uuid }) => [uuid, [...(numbers.get(uuid) ?? []), ...(configs.get(uuid) ?? [])].slice(0, most)]),
    );
  },
};
