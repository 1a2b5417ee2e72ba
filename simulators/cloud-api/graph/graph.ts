import * as flows from '../flows/flows.ts';
import * as media from '../media/media.ts';
import * as uploads from '../media/uploads.ts';
import { postMessage } from '../messages/send.ts';
import type { Sim } from '../sim.ts';
import * as templates from '../templates/templates.ts';
import * as subscriptions from '../webhooks/subscriptions.ts';
import type { World } from '../world.ts';
import type { Call } from './call.ts';
import type { Fields } from './checks.ts';
import { unknownObject } from './errors.ts';
import * as numbers from './numbers.ts';

type Handler = (sim: Sim, call: Call) => unknown;

/** The surface of Graph: method, kind of object, edge. */
const handlers: Readonly<Record<string, Handler>> = {
  'GET account': ({ world }, call) => ({ id: call.id, name: world.accounts.get(call.id)!.name }),
  'GET account/phone_numbers': numbers.listNumbers,
  'GET account/subscribed_apps': subscriptions.listSubscribedApps,
  'POST account/subscribed_apps': subscriptions.subscribeAccount,
  'DELETE account/subscribed_apps': subscriptions.unsubscribeAccount,
  'GET account/message_templates': templates.listTemplates,
  'POST account/message_templates': templates.createTemplate,
  'DELETE account/message_templates': templates.deleteTemplates,
  'GET account/flows': flows.listFlows,
  'POST account/flows': flows.createFlow,
  'GET number': numbers.getNumber,
  'POST number': numbers.configureNumber,
  'POST number/messages': postMessage,
  'POST number/media': media.uploadMedia,
  'POST number/register': numbers.registerNumber,
  'POST number/deregister': numbers.deregisterNumber,
  'GET number/whatsapp_business_profile': numbers.getProfile,
  'POST number/whatsapp_business_profile': numbers.editProfile,
  'GET number/block_users': numbers.listBlocks,
  'POST number/block_users': numbers.changeBlocks,
  'DELETE number/block_users': numbers.changeBlocks,
  'GET template': templates.getTemplate,
  'POST template': templates.editTemplate,
  'POST template/unpause': templates.unpauseTemplate,
  'GET media': media.getMedia,
  'DELETE media': media.deleteMedia,
  'GET flow': flows.getFlow,
  'POST flow': flows.updateFlow,
  'DELETE flow': flows.deleteFlow,
  'GET flow/assets': flows.listFlowAssets,
  'POST flow/assets': flows.uploadFlowJson,
  'POST flow/publish': flows.publishFlow,
  'POST flow/deprecate': flows.deprecateFlow,
  'POST app/uploads': uploads.openUpload,
  'GET app/subscriptions': subscriptions.listSubscriptions,
  'POST app/subscriptions': subscriptions.subscribeApp,
  'POST upload': uploads.continueUpload,
  'GET upload': uploads.uploadState,
  'GET debug_token': debugToken,
};

/** Which kind of thing an id names. */
function kindOf(world: World, id: string): string | undefined {
  if (world.numbers.has(id)) return 'number';
  if (world.accounts.has(id)) return 'account';
  if (world.templates.has(id)) return 'template';
  if (world.media.has(id)) return 'media';
  if (world.flows.has(id)) return 'flow';
  if (world.uploads.has(id)) return 'upload';
  if (world.app.id === id) return 'app';
  return id === 'debug_token' ? id : undefined;
}

/** Carries out one call; what is not there is the same error for every kind of thing. */
export function answer(sim: Sim, call: Call): unknown {
  const kind = kindOf(sim.world, call.id);
  const handler = handlers[`${call.method} ${kind}${call.edge === '' ? '' : `/${call.edge}`}`];
  if (!handler || call.rest !== '') throw unknownObject(call.id, call.method.toLowerCase());
  return handler(sim, call);
}

/** The account whose hourly quota a call counts against; messages and media have rates of their own. */
export function accountCharged({ world }: Sim, call: Call): string | undefined {
  if (call.edge === 'messages' || call.edge === 'media') return undefined;
  const owner = world.templates.get(call.id) ?? world.flows.get(call.id) ?? world.numbers.get(call.id);
  return owner?.accountId ?? world.accounts.get(call.id)?.id;
}

function debugToken({ world }: Sim, call: Call): Fields {
  const token = world.tokens.get(call.query.get('input_token') ?? '');
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'];
  return {
    data: {
      app_id: world.app.id,
      type: 'SYSTEM_USER',
      is_valid: token !== undefined && !token.expired,
      expires_at: 0,
      scopes,
      granular_scopes: scopes.map((scope) => ({ scope, target_ids: [...world.accounts.keys()] })),
    },
  };
}
