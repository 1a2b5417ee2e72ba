import type { Faults } from './control/faults.ts';
import type { Ids, Random } from './ids.ts';
import type { Limits } from './limits.ts';
import type { Settings } from './settings.ts';
import type { Time } from './time.ts';
import type { Outbox } from './webhooks/webhooks.ts';
import type { World } from './world.ts';

/** What every part of the simulator is given: the platform's memory, its clock and its ways out. */
export interface Sim {
  world: World;
  settings: Settings;
  time: Time;
  random: Random;
  ids: Ids;
  limits: Limits;
  faults: Faults;
  outbox: Outbox;
  /** `http://127.0.0.1:9090`, for the URLs that it gives out. */
  origin(): string;
}
