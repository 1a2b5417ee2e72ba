import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierChat } from '../../ports/chat.ts';
import {
  changeTemplate,
  forgetFlow,
  forgetTemplate,
  keepFlow,
  keepTemplate,
  redrawFlow,
  renameFlow,
} from './kept-queries.ts';

const idsLiveMs = 30 * 86_400_000;

/**
 * Templates, flows and files on the sandbox's side: it agrees to everything, and keeps what phones need to show it. Nothing of that
 * is news to us, so there is nothing to list.
 */
export const management = (db: Db, clock: Clock): Pick<CarrierChat, 'templates' | 'flows' | 'media'> => ({
  templates: {
    list: async () => null,
    async create({ accountId, number }, { name, languageCode, components, category }) {
      const template = { id: newId(), numberDigits: phoneDigits(number), name, languageCode, components };
      return { id: await keepTemplate(db, accountId, template), status: 'APPROVED', category };
    },
    async update({ accountId }, id, { components }) {
      if (components) await changeTemplate(db, accountId, id, components);
      return { status: 'APPROVED' };
    },
    delete: ({ accountId }, { id }) => forgetTemplate(db, accountId, id),
  },
  flows: {
    list: async () => null,
    async create({ accountId, number }, { name, categories, definition }) {
      const id = newId();
      await keepFlow(db, accountId, { id, numberDigits: phoneDigits(number), name, definition });
      return { id, name, categories, status: 'DRAFT', validationErrors: [] };
    },
    async update({ accountId }, id, { name }) {
      if (name !== undefined) await renameFlow(db, accountId, id, name);
    },
    async draw({ accountId }, id, definition) {
      await redrawFlow(db, accountId, id, definition);
      return [];
    },
    remove: ({ accountId }, id) => forgetFlow(db, accountId, id),
    publish: async () => {},
    deprecate: async () => {},
    // Its phones are on this very server.
    preview: async (_sender, id) => ({
      previewUrl: `/console/phone/flow/${id}`,
      expiresAt: new Date(clock.now().getTime() + idsLiveMs),
    }),
  },
  media: {
    upload: async () => ({ id: newId(), expiresAt: new Date(clock.now().getTime() + idsLiveMs) }),
    uploadSample: async () => newId(),
    download: async () => {
      throw new CarrierRefusal('no_media', 'Nobody sends files in the sandbox.');
    },
  },
});
