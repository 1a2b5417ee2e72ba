import { encode, makePdu } from '../../src/carriers/smpp/codec/index.ts';
import type { Fault } from './faults.ts';
import type { Submit } from './submit.ts';
import type { Connection, World } from './world.ts';

/** What is kept for another order leaves after this time even if the group is not full. */
const holdMs = 500;

export const wait = (world: World, ms: number): Promise<void> => new Promise((resolve) => world.later(ms, resolve));

/** Between the taking of a message and its answer: whether there is to be one. */
export async function disturb(
  world: World,
  { session }: Connection,
  { command, sequence }: Submit,
  fault: Fault | undefined,
  answer: { message_id: string },
): Promise<boolean> {
  const octets = (at = sequence): Buffer => encode(makePdu(`${command}_resp`, { ...answer, sequence: at }));
  // Once the answer has left.
  const afterwards = (octets: Buffer): void => world.later(1, () => session.sendRaw(octets));
  switch (fault?.kind) {
    case 'lost-answer':
      return false;
    case 'drop-after':
      session.destroy('A fault of the simulator.');
      return false;
    case 'malformed':
      session.sendRaw(withoutEnd(octets()));
      return false;
    case 'late':
      await wait(world, fault.delayMs);
      break;
    case 'reversed':
      await hold(world, fault.group);
      break;
    case 'doubled':
      session.sendRaw(octets());
      break;
    case 'stray':
      session.sendRaw(octets(sequence + 1_000_000));
      break;
    case 'garbage':
      afterwards(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
      break;
    case 'huge-length':
      afterwards(withLength(0xffffffff));
      break;
    case 'short-length':
      afterwards(withLength(4));
  }
  return true;
}

function withLength(length: number): Buffer {
  const octets = encode(makePdu('enquire_link', { sequence: 1 }));
  octets.writeUInt32BE(length, 0);
  return octets;
}

/** Its last field has lost its NUL. */
function withoutEnd(octets: Buffer): Buffer {
  const cut = Buffer.from(octets.subarray(0, -1));
  cut.writeUInt32BE(cut.length, 0);
  return cut;
}

function hold(world: World, group: number): Promise<void> {
  return new Promise((resolve) => {
    world.held.push(resolve);
    const release = (): void => {
      // One by one: the order in which promises are heard of is not that in which they were resolved.
      for (const [index, one] of world.held.splice(0).reverse().entries()) world.later(index, one);
    };
    if (world.held.length >= group) release();
    else world.later(holdMs, release);
  });
}
