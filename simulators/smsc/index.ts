// The door of the simulator.
export type { Fault, FaultPlan, Faults } from './faults.ts';
export type { Delivery } from './outbox.ts';
export type { Outcome, Settings } from './settings.ts';
export { type Smsc, type SmscOptions, startSmsc } from './smsc.ts';
export type { Received } from './world.ts';
export type { Written } from './write.ts';
