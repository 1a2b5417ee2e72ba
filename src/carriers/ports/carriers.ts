import type { Clock } from '../../platform/time/clock.ts';
import type { CarrierChat } from './chat.ts';
import type { Inbox } from './inbox.ts';
import type { CarrierSms } from './sms.ts';
import type { CarrierVoice } from './voice.ts';

/** A range of numbers a carrier offers for sale: `count` numbers from `first`, both in international digits. */
export interface NumberRange {
  country: string;
  /** National prefix (area or mobile code) the numbers begin with, as a caller would ask for it. */
  prefix: string;
  first: string;
  count: number;
  capabilities: readonly ('VOICE' | 'SMS' | 'MMS')[];
}

/** Is told of a request to the carrier that belongs to one message, when it has ended; see `platform/observe/`. */
export type OnRequest = (request: {
  uuid: string;
  name: string;
  startMs: number;
  attributes: Record<string, string | number>;
}) => void;

/** What a carrier may be able to carry. */
export interface Capabilities {
  readonly chat: CarrierChat;
  readonly sms: CarrierSms;
  readonly voice: CarrierVoice;
}
export type Capability = keyof Capabilities;

/**
 * A way to the outside world, with the capabilities that it has and no others. Adapters know this folder and `platform`, and
 * nothing of the domains.
 */
export interface Carrier extends Partial<Capabilities> {
  readonly name: string;
  /** Whether a sender or template nobody registered may be taken into use at its first message: it reaches no real person. */
  readonly adoptsUnknown: boolean;
  /** The numbers that it offers for sale. */
  readonly numberRanges?: readonly NumberRange[];
  /** The time this carrier's messages of an account live in: the system's, unless it can be moved. */
  clock(accountId: string): Clock;
  /** Starts whatever brings events in; they go to `inbox`. */
  start?(inbox: Inbox): Promise<void>;
  stop?(): Promise<void>;
  /** null when it works, else a sentence for `/readyz`. */
  problem?(): Promise<string | null>;
}

/** A carrier that is known to have a capability. */
export type CarrierWith<C extends Capability> = Carrier & Pick<Capabilities, C>;

export interface Carriers {
  /**
   * The carrier of that name; it is an error to ask for one that is not configured. One that lacks the capability that is asked
   * for is refused (`CarrierRefusal`).
   */
  get(name: string): Carrier;
  get<C extends Capability>(name: string, capability: C): CarrierWith<C>;
  /** The same; undefined where there is none. */
  find<C extends Capability>(name: string, capability: C): CarrierWith<C> | undefined;
  /** All, or those that have the capability. Of those that carry calls, real ones come before the one to try things out. */
  all(): readonly Carrier[];
  all<C extends Capability>(capability: C): readonly CarrierWith<C>[];
  /** The names of those that reach no real person. */
  readonly trials: ReadonlySet<string>;
}

export function makeCarriers(carriers: readonly Carrier[]): Carriers {
  const has = <C extends Capability>(carrier: Carrier, capability: C): carrier is CarrierWith<C> =>
    carrier[capability] !== undefined;
  function get(name: string): Carrier;
  function get<C extends Capability>(name: string, capability: C): CarrierWith<C>;
  function get(name: string, capability?: Capability): Carrier {
    const carrier = carriers.find((candidate) => candidate.name === name);
    if (!carrier) throw new Error(`No carrier named ${name} is configured.`);
    if (capability === undefined || has(carrier, capability)) return carrier;
    throw new CarrierRefusal(`no_${capability}`, `The carrier ${name} has no ${capability}.`);
  }
  function all(): readonly Carrier[];
  function all<C extends Capability>(capability: C): readonly CarrierWith<C>[];
  function all(capability?: Capability): readonly Carrier[] {
    return capability === undefined ? carriers : carriers.filter((carrier) => has(carrier, capability));
  }
  const trials = new Set(carriers.flatMap(({ name, adoptsUnknown }) => (adoptsUnknown ? [name] : [])));
  return { get, all, trials, find: (name, capability) => all(capability).find((carrier) => carrier.name === name) };
}

/** A carrier said no to something other than a message. */
export class CarrierRefusal extends Error {
  override name = 'CarrierRefusal';
  readonly code: string;
  /** Whether trying again later may help. */
  readonly temporary: boolean;

  constructor(code: string, description: string, { temporary = false } = {}) {
    super(description);
    this.code = code;
    this.temporary = temporary;
  }
}

/**
 * By which processes are told whose time was moved, where a carrier has a time that can be (see `Carrier.clock`). The detail is the
 * account.
 */
export const clockTopic = 'sandbox-clock';
