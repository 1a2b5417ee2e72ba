// The door of the simulator.
export type { Fault, Faults } from './control/faults.ts';
export type { InboundFile, PersonControl } from './people/control.ts';
export type { Surroundings } from './people/inbound.ts';
export type { Received } from './server.ts';
export type { Settings } from './settings.ts';
export { type CloudSimulator, type SimulatorOptions, startCloudSimulator } from './simulator.ts';
export { platformJson, signatureOf } from './webhooks/payload.ts';
export type { Delivery } from './webhooks/webhooks.ts';
