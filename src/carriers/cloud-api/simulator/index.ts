// The door of the simulator.
export type { Fault, Faults } from './faults.ts';
export type { Surroundings } from './inbound.ts';
export type { InboundFile, PersonControl } from './person-control.ts';
export type { Received } from './server.ts';
export type { Settings } from './settings.ts';
export { platformJson, signatureOf } from './signature.ts';
export { type CloudSimulator, type SimulatorOptions, startCloudSimulator } from './simulator.ts';
export type { Delivery } from './webhooks.ts';
