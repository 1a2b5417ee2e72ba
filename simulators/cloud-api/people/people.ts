import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { phoneDigits } from '../../../src/platform/phone.ts';
import { type Fields, invalid } from '../graph/checks.ts';
import type { Sim } from '../sim.ts';
import type { Person, PersonBehaviour, PhoneNumber } from '../world.ts';

/** The person with this WhatsApp id (digits); everybody has the app unless told otherwise. */
export function personOf(sim: Sim, waId: string): Person {
  const { world, ids } = sim;
  const known = world.people.get(waId);
  if (known) return known;
  const country = parsePhoneNumberFromString(`+${waId}`)?.country ?? 'US';
  const person: Person = {
    waId,
    userId: ids.user(country),
    country,
    name: `Person ${waId.slice(-4)}`,
    username: null,
    phoneHidden: false,
    stoppedMarketing: false,
    reach: null,
    failCode: null,
    refuseCode: null,
  };
  world.people.set(waId, person);
  world.peopleByUserId.set(person.userId, person);
  return person;
}

/** Changes how a person behaves. */
export const shape = (person: Person, behaviour: Partial<PersonBehaviour>): Person => Object.assign(person, behaviour);

/** Who a send is meant for. `to` wins over `recipient`. */
export function recipientOf(sim: Sim, number: PhoneNumber, body: Fields): { person: Person; byPhone: boolean } {
  if (body['recipient_type'] === 'group') throw invalid('The group does not exist.', 131009);
  if (typeof body['to'] === 'string') {
    return { person: personOf(sim, waIdOf(internationalDigits(body['to'], number))), byPhone: true };
  }
  const person = sim.world.peopleByUserId.get(body['recipient'] as string);
  if (!person) throw invalid('Param recipient is not a user id of this business, or no longer.', 131009);
  return { person, byPhone: false };
}

/** Without a plus the platform puts the business number's own country code in front, whatever the digits are. */
function internationalDigits(to: string, number: PhoneNumber): string {
  if (!/^\+?[\d\s()-]+$/.test(to.trim())) throw invalid('Param to is not a valid phone number.', 131009);
  const digits = to.trim().startsWith('+') ? phoneDigits(to) : number.callingCode + phoneDigits(to);
  if (digits.length < 7 || digits.length > 17) throw invalid('Param to is not a valid phone number.', 131009);
  return digits;
}

/** Mexican and Brazilian mobile numbers are registered in an older form than the one in use. */
export const waIdOf = (digits: string): string =>
  digits.replace(/^52(\d{10})$/, '521$1').replace(/^55([3-9]\d)9(\d{8})$/, '55$1$2');
