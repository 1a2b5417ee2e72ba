// The GSM 7-bit default alphabet and its extension table, 3GPP TS 23.038 sections 6.2.1 and 6.2.1.1. A character of the
// extension table is two septets: the escape and its place there.

export const escapeSeptet = 0x1b;

/** By septet. The escape stands for itself, so that everything behind it keeps its place. */
export const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

export const extension = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
]);

/** Added to a septet that an escape precedes. */
export const extended = 0x80;

/** By UTF-16 unit up to the euro sign, the highest of all: its septet, and how many it takes. */
export const septets = new Uint8Array('€'.charCodeAt(0) + 1);
const costs = new Uint8Array(septets.length);
for (const [septet, character] of [...alphabet].entries()) addCharacter(character, septet, 1);
for (const [septet, character] of extension) addCharacter(character, septet | extended, 2);
costs[escapeSeptet] = 0;

function addCharacter(character: string, septet: number, cost: number): void {
  septets[character.charCodeAt(0)] = septet;
  costs[character.charCodeAt(0)] = cost;
}

/** How many septets a UTF-16 unit takes: one, two with an escape, or none because the alphabet does not have it. */
export const septetsOf = (unit: number): number => (unit < costs.length ? costs[unit]! : 0);

/** How many septets a text takes; undefined when it has a character that the alphabet does not have. */
export function countSeptets(text: string): number | undefined {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const cost = septetsOf(text.charCodeAt(index));
    if (cost === 0) return undefined;
    count += cost;
  }
  return count;
}
