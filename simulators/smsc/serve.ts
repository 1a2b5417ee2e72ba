import { type PduOf, type RequestPdu, Status } from '../../src/carriers/smpp/codec/index.ts';
import { messageStates } from '../../src/carriers/smpp/messages/receipt.ts';
import type { BindMode } from '../../src/carriers/smpp/session/connect.ts';
import type { Answer } from '../../src/carriers/smpp/session/serving.ts';
import { takeSubmit } from './submit.ts';
import type { Connection, World } from './world.ts';

type Bind = PduOf<'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'>;

export const served = [
  'bind_transceiver',
  'bind_transmitter',
  'bind_receiver',
  'submit_sm',
  'data_sm',
  'query_sm',
  'cancel_sm',
] as const;

/** Carries out what a client asks. */
export async function serve(world: World, connection: Connection, pdu: RequestPdu): Promise<Answer | null> {
  switch (pdu.command) {
    case 'bind_transceiver':
    case 'bind_transmitter':
    case 'bind_receiver':
      return bind(world, connection, pdu);
    case 'submit_sm':
    case 'data_sm':
      return takeSubmit(world, connection, pdu);
    case 'query_sm':
      return query(world, pdu);
    case 'cancel_sm':
      return cancel(world, pdu);
    default:
      return { status: Status.RINVCMDID };
  }
}

function bind(world: World, connection: Connection, pdu: Bind): Answer | null {
  const fault = world.faults.pick(pdu.command);
  if (fault?.kind === 'hang') return null;
  if (fault?.kind === 'drop') connection.session.destroy('A fault of the simulator.');
  if (fault?.kind === 'status') return { status: fault.status };
  const account = world.settings.accounts.find(({ systemId }) => systemId === pdu.system_id);
  const mode = pdu.command.slice('bind_'.length) as BindMode;
  if (!account) return { status: Status.RINVSYSID };
  if (account.password !== pdu.password) return { status: Status.RINVPASWD };
  if (account.modes && !account.modes.includes(mode)) return { status: Status.RBINDFAIL };
  connection.systemId = account.systemId;
  connection.mode = mode;
  return { system_id: 'parley-smsc', tlvs: { sc_interface_version: 0x34 } };
}

function query({ messages }: World, { message_id }: PduOf<'query_sm'>): Answer {
  const message = messages.get(message_id);
  if (!message) return { status: Status.RQUERYFAIL };
  const { state, doneAt } = message;
  const finalDate = doneAt ? `${doneAt.toISOString().replaceAll(/\D/g, '').slice(2, 14)}000+` : '';
  return { message_id, final_date: finalDate, message_state: messageStates.indexOf(state), error_code: 0 };
}

function cancel({ messages, timing }: World, { message_id }: PduOf<'cancel_sm'>): Answer {
  const message = messages.get(message_id);
  if (!message) return { status: Status.RINVMSGID };
  if (message.state !== 'ENROUTE') return { status: Status.RCANCELFAIL };
  Object.assign(message, { state: 'DELETED', doneAt: new Date(timing.nowMs()) });
  return {};
}
