import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { type Carrier, CarrierRefusal } from '../port.ts';

const idsLiveMs = 30 * 86_400_000;

/** Templates, flows and files on the sandbox's side: it agrees to everything and keeps nothing that we do not have. */
export const management = (clock: Clock): Pick<Carrier, 'templates' | 'flows' | 'media'> => ({
  templates: {
    list: async () => null,
    create: async (_sender, { category }) => ({ id: newId(), status: 'APPROVED', category }),
    update: async () => ({ status: 'APPROVED' }),
    delete: async () => {},
  },
  flows: {
    list: async () => null,
    create: async (_sender, { name, categories }) => ({
      id: newId(),
      name,
      categories,
      status: 'DRAFT',
      validationErrors: [],
    }),
    update: async () => {},
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
