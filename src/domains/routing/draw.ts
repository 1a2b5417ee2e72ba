const two32 = 2 ** 32;

/**
 * A number from 0 to just below 1, made of a random one and the place it is for: several draws for one call do not depend on
 * each other, and the same random number gives them all again. (The mixing of MurmurHash3, by Austin Appleby.)
 */
export function draw(random: number, place: number): number {
  let mixed = Math.floor(random * two32) ^ Math.imul(place + 1, 0x9e3779b9);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / two32;
}
