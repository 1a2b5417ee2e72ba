// Septets as they travel over the air, eight in seven octets, the lowest bit first: 3GPP TS 23.038 section 6.1.2.1.

/** How many bits follow a header of so many octets before the first septet: text starts at a whole septet (TS 23.040, 9.2.3.24). */
export const fillBitsAfter = (headerOctets: number): number => (7 - ((headerOctets * 8) % 7)) % 7;

export function packSeptets(septets: Uint8Array, fillBits = 0): Buffer {
  const octets = Buffer.alloc(Math.ceil((fillBits + septets.length * 7) / 8));
  let bit = fillBits;
  for (const septet of septets) {
    const at = bit >> 3;
    const shifted = (septet & 0x7f) << (bit & 7);
    octets[at]! |= shifted & 0xff;
    if (shifted > 0xff) octets[at + 1]! |= shifted >> 8;
    bit += 7;
  }
  return octets;
}

/**
 * The other way round. Seven spare bits at the end look like one more septet, an @: who knows how many there are says so, as
 * the length of a message over the air does.
 */
export function unpackSeptets(octets: Uint8Array, fillBits = 0, count = Number.POSITIVE_INFINITY): Buffer {
  const fitting = Math.max(0, Math.floor((octets.length * 8 - fillBits) / 7));
  const septets = Buffer.allocUnsafe(Math.min(count, fitting));
  for (let index = 0; index < septets.length; index++) {
    const bit = fillBits + index * 7;
    const at = bit >> 3;
    septets[index] = ((octets[at]! | ((octets[at + 1] ?? 0) << 8)) >> (bit & 7)) & 0x7f;
  }
  return septets;
}
