import { phoneDigits } from '../../../src/platform/phone.ts';
import { personOf, waIdOf } from '../people/people.ts';
import type { Sim } from '../sim.ts';
import { chatOf, dayMs, type PhoneNumber } from '../world.ts';
import { pageOf, pickFields } from './answers.ts';
import type { Call } from './call.ts';
import { type Fields, invalid } from './checks.ts';
import { GraphError } from './errors.ts';

const usualFields = ['verified_name', 'code_verification_status', 'display_phone_number', 'quality_rating', 'id'];

const present = (number: PhoneNumber): Fields => ({
  id: number.id,
  display_phone_number: `+${number.digits}`,
  verified_name: number.verifiedName,
  quality_rating: number.quality,
  code_verification_status: 'VERIFIED',
  name_status: 'APPROVED',
  status: number.status,
  platform_type: 'CLOUD_API',
  throughput: { level: number.throughputPerSecond !== null && number.throughputPerSecond <= 80 ? 'STANDARD' : 'HIGH' },
  whatsapp_business_manager_messaging_limit: number.messagingLimit,
  health_status: { can_send_message: number.status === 'CONNECTED' ? 'AVAILABLE' : 'BLOCKED', entities: [] },
  webhook_configuration: number.override ? { phone_number: number.override.url } : {},
});

export const getNumber = ({ world }: Sim, call: Call) =>
  pickFields(present(world.numbers.get(call.id)!), call, usualFields);

export function listNumbers(sim: Sim, call: Call) {
  const mine = [...sim.world.numbers.values()].filter(({ accountId }) => accountId === call.id);
  return pageOf(
    mine.map((number) => pickFields(present(number), call, usualFields)),
    call,
    sim.origin(),
  );
}

/** `POST /{phone-number-id}`: a callback of its own for this number. */
export function configureNumber({ world }: Sim, call: Call) {
  const number = world.numbers.get(call.id)!;
  const webhook = call.params()['webhook_configuration'] as Fields | undefined;
  if (!webhook) throw invalid('The parameter webhook_configuration is required.');
  const url = String(webhook['override_callback_uri'] ?? '');
  number.override = url === '' ? null : { url, verifyToken: String(webhook['verify_token'] ?? '') };
  return { success: true };
}

export function registerNumber({ world }: Sim, call: Call) {
  const { messaging_product, pin } = call.params();
  if (messaging_product !== 'whatsapp') throw invalid('Param messaging_product must be one of {WHATSAPP}.');
  if (!/^\d{6}$/.test(String(pin))) throw new GraphError(133005, 'The PIN must have six digits.');
  world.numbers.get(call.id)!.status = 'CONNECTED';
  return { success: true };
}

export function deregisterNumber({ world }: Sim, call: Call) {
  world.numbers.get(call.id)!.status = 'DISCONNECTED';
  return { success: true };
}

const profileLimits: Readonly<Record<string, number>> = {
  about: 139,
  address: 256,
  description: 512,
  email: 128,
  vertical: 64,
};

export const getProfile = ({ world }: Sim, call: Call) => ({
  data: [{ messaging_product: 'whatsapp', ...world.numbers.get(call.id)!.profile }],
});

export function editProfile({ world }: Sim, call: Call) {
  const { messaging_product, ...profile } = call.params();
  if (messaging_product !== 'whatsapp') throw invalid('Param messaging_product must be one of {WHATSAPP}.');
  for (const [name, most] of Object.entries(profileLimits)) {
    if (String(profile[name] ?? '').length > most)
      throw invalid(`Param ${name} must be at most ${most} characters long.`);
  }
  Object.assign(world.numbers.get(call.id)!.profile, profile);
  return { success: true };
}

/** `POST` and `DELETE /{phone-number-id}/block_users`; only who wrote in the last day can be blocked. */
export function changeBlocks(sim: Sim, call: Call) {
  const { world, time } = sim;
  const number = world.numbers.get(call.id)!;
  const users = call.params()['block_users'];
  if (!Array.isArray(users)) throw invalid('The parameter block_users is required.');
  const adding = call.method === 'POST';
  const changed = (users as { user: string }[]).map(({ user }) => {
    const person = personOf(sim, waIdOf(phoneDigits(user)));
    const wroteAt = chatOf(world, number.id, person).lastInboundAt?.getTime() ?? 0;
    if (adding && time.now().getTime() - wroteAt >= dayMs) {
      throw new GraphError(139100, 'A user can be blocked who wrote in the last 24 hours.');
    }
    if (adding) number.blocked.add(person.waId);
    else number.blocked.delete(person.waId);
    return { input: user, wa_id: person.waId };
  });
  return { messaging_product: 'whatsapp', block_users: { [adding ? 'added_users' : 'removed_users']: changed } };
}

export const listBlocks = ({ world }: Sim, call: Call) => ({
  data: [...world.numbers.get(call.id)!.blocked].map((wa_id) => ({ messaging_product: 'whatsapp', wa_id })),
});
