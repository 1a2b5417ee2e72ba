import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { besideCalled } from '../../platform/http/route.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { findChatappAccount, senderOf } from '../chatapp-accounts/index.ts';
import { findFlow } from './queries.ts';

/** A link that shows the flow, fresh from the platform. `here`: the address of this server, for links that lead to it. */
export async function previewFlow(deps: Deps, accountId: string, uuid: string, here: URL) {
  const row = await findFlow(deps.db, accountId, uuid);
  const account = row && (await findChatappAccount(deps.db, accountId, row.chatapp_account));
  if (!account) throw notFound();
  if (row.flow_id === null) {
    throw new ApiError('preview_unavailable', { detail: 'The platform does not have the flow yet.' });
  }
  try {
    const { flows } = deps.carriers.get(account.carrier, 'chat').chat;
    const { previewUrl, expiresAt } = await flows.preview(senderOf(deps, account), row.flow_id);
    return {
      preview_url: previewUrl.startsWith('/') ? besideCalled(here, previewUrl) : previewUrl,
      expires_at: timestamp(expiresAt),
    };
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    throw new ApiError(error.temporary ? 'unavailable' : 'preview_unavailable', { detail: error.message });
  }
}
