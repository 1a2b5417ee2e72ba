import type { Call } from '../graph/call.ts';
import { type Fields, invalid } from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import type { Callback } from '../world.ts';

/** What the app listens to unless it says otherwise. */
export const webhookFields = [
  'messages',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'account_update',
  'account_alerts',
  'account_review_update',
  'business_capability_update',
  'security',
  'flows',
];

/** The GET handshake: a callback is taken only if it answers 200 with the challenge itself. */
export async function verifyCallback(sim: Sim, { url, verifyToken }: Callback): Promise<void> {
  const challenge = String(Math.floor(sim.random() * 1e10));
  const refuse = (why: string) =>
    new GraphError(100, undefined, { subcode: 2201, message: `(#2201) response does not match challenge, ${why}` });
  if (!URL.canParse(url)) throw invalid('Param callback_url is not a valid URI.');
  const target = new URL(url);
  target.searchParams.set('hub.mode', 'subscribe');
  target.searchParams.set('hub.challenge', challenge);
  target.searchParams.set('hub.verify_token', verifyToken);
  const signal = AbortSignal.timeout(sim.settings.webhookTimeoutMs);
  const answer = await fetch(target, { signal, redirect: 'manual' })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: Error) => Promise.reject(refuse(error.message)));
  if (answer.status !== 200 || answer.text !== challenge) {
    throw refuse(`expected value="${challenge}", received="${answer.text.slice(0, 40)}", status ${answer.status}`);
  }
}

/** `POST /{app-id}/subscriptions`: the app's callback, checked before it is saved. */
export async function subscribeApp(sim: Sim, call: Call) {
  const { object, callback_url, verify_token, fields } = call.params();
  if (object !== 'whatsapp_business_account') throw invalid('Param object must be one of {whatsapp_business_account}.');
  const callback = { url: String(callback_url), verifyToken: String(verify_token ?? '') };
  const wanted = Array.isArray(fields) ? fields.map(String) : String(fields ?? webhookFields.join(',')).split(',');
  await verifyCallback(sim, callback);
  sim.world.app.callback = callback;
  sim.world.app.fields = new Set(wanted);
  return { success: true };
}

export const listSubscriptions = ({ world }: Sim, call: Call) => ({
  data: [
    {
      object: 'whatsapp_business_account',
      callback_url: world.app.callback?.url ?? null,
      active: world.app.callback !== null,
      fields: [...world.app.fields].map((name) => ({ name, version: call.version })),
    },
  ],
});

/** `POST /{waba-id}/subscribed_apps`: the app listens to this account, at a place of its own if it names one. */
export async function subscribeAccount(sim: Sim, call: Call) {
  const account = sim.world.accounts.get(call.id)!;
  const { override_callback_uri: url, verify_token } = call.params() as Fields;
  const override = url === undefined ? null : { url: String(url), verifyToken: String(verify_token ?? '') };
  if (override) await verifyCallback(sim, override);
  Object.assign(account, { subscribed: true, override });
  return { success: true };
}

export function listSubscribedApps({ world }: Sim, call: Call) {
  const account = world.accounts.get(call.id)!;
  const app = {
    id: world.app.id,
    name: 'Simulated app',
    link: 'https://www.facebook.com/games/?app_id=' + world.app.id,
  };
  const override = account.override ? { override_callback_uri: account.override.url } : {};
  return { data: account.subscribed ? [{ whatsapp_business_api_data: app, ...override }] : [] };
}

export function unsubscribeAccount({ world }: Sim, call: Call) {
  world.accounts.get(call.id)!.subscribed = false;
  return { success: true };
}
