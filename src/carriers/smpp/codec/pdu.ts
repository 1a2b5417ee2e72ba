import { commands, type Field } from './layouts.ts';
import type { Tlvs } from './tlvs.ts';

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
