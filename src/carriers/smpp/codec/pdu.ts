import type { Tlvs } from './tlvs.ts';

// The bodies of the commands, field by field, in the order and with the sizes of SMPP 3.4, section 4. Names are the
// specification's, so that a trace, the text and the code can be laid side by side.

/** `size` counts the closing NUL, as the specification does. A `time` is empty or sixteen characters. */
export type Field =
  | { kind: 'u8' }
  | { kind: 'cstring'; size: number }
  | { kind: 'time' }
  /** Its own length in an octet before it. */
  | { kind: 'octets' };

const u8 = { kind: 'u8' } as const;
const time = { kind: 'time' } as const;
const octets = { kind: 'octets' } as const;
const cstring = (size: number) => ({ kind: 'cstring', size }) as const;

const nothing = {};
const bind = {
  system_id: cstring(16),
  password: cstring(9),
  system_type: cstring(13),
  interface_version: u8,
  addr_ton: u8,
  addr_npi: u8,
  address_range: cstring(41),
};
const bound = { system_id: cstring(16) };
const source = { source_addr_ton: u8, source_addr_npi: u8, source_addr: cstring(21) };
const destination = { dest_addr_ton: u8, dest_addr_npi: u8, destination_addr: cstring(21) };
const message = {
  service_type: cstring(6),
  ...source,
  ...destination,
  esm_class: u8,
  protocol_id: u8,
  priority_flag: u8,
  schedule_delivery_time: time,
  validity_period: time,
  registered_delivery: u8,
  replace_if_present_flag: u8,
  data_coding: u8,
  sm_default_msg_id: u8,
  short_message: octets,
};
const data = {
  service_type: cstring(6),
  ...source,
  source_addr: cstring(65),
  ...destination,
  destination_addr: cstring(65),
  esm_class: u8,
  registered_delivery: u8,
  data_coding: u8,
};
const taken = { message_id: cstring(65) };

export const commands = {
  generic_nack: { id: 0x80000000, body: nothing },
  bind_receiver: { id: 0x00000001, body: bind },
  bind_receiver_resp: { id: 0x80000001, body: bound },
  bind_transmitter: { id: 0x00000002, body: bind },
  bind_transmitter_resp: { id: 0x80000002, body: bound },
  query_sm: { id: 0x00000003, body: { message_id: cstring(65), ...source } },
  query_sm_resp: {
    id: 0x80000003,
    body: { message_id: cstring(65), final_date: time, message_state: u8, error_code: u8 },
  },
  submit_sm: { id: 0x00000004, body: message },
  submit_sm_resp: { id: 0x80000004, body: taken },
  deliver_sm: { id: 0x00000005, body: message },
  deliver_sm_resp: { id: 0x80000005, body: taken },
  unbind: { id: 0x00000006, body: nothing },
  unbind_resp: { id: 0x80000006, body: nothing },
  cancel_sm: {
    id: 0x00000008,
    body: { service_type: cstring(6), message_id: cstring(65), ...source, ...destination },
  },
  cancel_sm_resp: { id: 0x80000008, body: nothing },
  bind_transceiver: { id: 0x00000009, body: bind },
  bind_transceiver_resp: { id: 0x80000009, body: bound },
  outbind: { id: 0x0000000b, body: { system_id: cstring(16), password: cstring(9) } },
  enquire_link: { id: 0x00000015, body: nothing },
  enquire_link_resp: { id: 0x80000015, body: nothing },
  data_sm: { id: 0x00000103, body: data },
  data_sm_resp: { id: 0x80000103, body: taken },
} as const;

export type Command = keyof typeof commands;

type Value<F> = F extends { kind: 'u8' } ? number : F extends { kind: 'octets' } ? Buffer : string;
type Fields<C extends Command> = {
  -readonly [Name in keyof (typeof commands)[C]['body']]: Value<(typeof commands)[C]['body'][Name]>;
};

/** A PDU of one command. Octets are views of what was received: copy what is kept for long. */
export type PduOf<C extends Command> = C extends Command
  ? { command: C; status: number; sequence: number; tlvs: Tlvs } & Fields<C>
  : never;

/** A command that we have no layout for, as it came. */
export interface UnknownPdu {
  command: 'unknown';
  command_id: number;
  status: number;
  sequence: number;
  body: Buffer;
}

export type KnownPdu = PduOf<Command>;
export type Pdu = KnownPdu | UnknownPdu;

/** Commands that are answered by one of the same name with `_resp`. */
export type RequestCommand = { [C in Command]: `${C}_resp` extends Command ? C : never }[Command];
export type ResponseTo<C extends RequestCommand> = PduOf<Extract<Command, `${C}_resp`>>;
export type RequestPdu = PduOf<RequestCommand>;

export const responseBit = 0x80000000;
export const headerLength = 16;

export interface Layout {
  command: Command;
  id: number;
  fields: readonly (Field & { name: string })[];
  /** All fields at their defaults: copies of it have one shape, which keeps decoding fast. */
  blank: KnownPdu;
}

export const noTlvs: Tlvs = Object.freeze({});
const noOctets = Buffer.alloc(0);
const defaults = { u8: 0, cstring: '', time: '', octets: noOctets };

const layouts = Object.entries(commands).map(([command, { id, body }]) => {
  const fields = Object.entries<Field>(body).map(([name, field]) => ({ ...field, name }));
  const values = Object.fromEntries(fields.map(({ name, kind }) => [name, defaults[kind]]));
  const blank = { command, status: 0, sequence: 0, ...values, tlvs: noTlvs } as unknown as KnownPdu;
  return { command: command as Command, id, fields, blank } satisfies Layout;
});
const byCommand = new Map(layouts.map((layout) => [layout.command, layout]));
const byId = new Map<number, Layout>(layouts.map((layout) => [layout.id, layout]));

export const layoutOf = (command: Command): Layout => byCommand.get(command)!;
export const layoutOfId = (id: number): Layout | undefined => byId.get(id);

export type Given<C extends Command> = Partial<Omit<PduOf<C>, 'command'>>;

/** A PDU with what is given; everything else is zero or empty. */
export const makePdu = <C extends Command>(command: C, given: Given<C> = {}): PduOf<C> =>
  ({ ...layoutOf(command).blank, ...given }) as unknown as PduOf<C>;

const responses = new Map(
  layouts.flatMap(({ command }) => {
    const response = `${command}_resp` as Command;
    return byCommand.has(response) ? [[command, response] as const] : [];
  }),
);

/** The command that answers this one; undefined where nothing does. */
export const responseCommand = (command: Command): Command | undefined => responses.get(command);

export const isResponse = (pdu: Pdu): boolean =>
  pdu.command === 'unknown' ? pdu.command_id >= responseBit : layoutOf(pdu.command).id >= responseBit;
