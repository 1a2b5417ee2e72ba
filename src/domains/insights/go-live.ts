import { sql } from 'kysely';
import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ok } from '../../platform/http/route.ts';
import { sandboxMode, sandboxModes } from '../accounts/index.ts';

const Channel = Type.Object(
  {
    connected: Type.Boolean({ description: 'Whether a carrier other than the sandbox is connected.' }),
    verified: Type.Boolean({
      description:
        'Whether the connection works: a message or a receipt came from the chat platform, by its webhook with a valid signature; an SMS link or a trunk is up.',
    }),
    tested: Type.Boolean({
      description:
        'Whether something went through lately: a chat message was delivered, an SMS was accepted by the SMS centre, a call was answered.',
    }),
  },
  { title: 'GoLiveChannel' },
);

const GoLive = Type.Object(
  {
    sandbox: Type.Enum([...sandboxModes], { description: 'The setting `sandbox` of the account.' }),
    chatapp: Channel,
    sms: Channel,
    voice: Channel,
    number: Type.Boolean({ description: 'Whether the account has a number that is not one of the sandbox.' }),
    webhook: Type.Object(
      {
        connected: Type.Boolean({ description: 'Whether there is an enabled webhook.' }),
        verified: Type.Boolean({ description: 'Whether a webhook or callback has accepted an event.' }),
      },
      { title: 'GoLiveWebhook' },
    ),
    live: Type.Boolean({
      description: 'Whether the account is live: a channel is connected and tested, and `sandbox` is not `adopt`.',
    }),
  },
  { title: 'GoLive', description: 'How far the account is on its way from the sandbox to real carriers.' },
);

export const goLiveRoute = route({
  method: 'GET',
  url: '/v2/account/go-live/',
  operationId: 'getGoLive',
  summary: 'Get how far the account is on its way from the sandbox to real carriers',
  tag: 'Account',
  scope: 'account:read',
  responses: { 200: GoLive },
  handler: async ({ deps, accountId }) => {
    const [standing, lines, sandbox] = await Promise.all([
      readStanding(deps.db, accountId),
      readLines(deps, accountId),
      sandboxMode(deps, accountId),
    ]);
    const chatapp = channelOf(standing.chat_connected, standing.chat_verified, standing.chat_tested);
    const sms = channelOf(standing.sms_connected, standing.sms_verified, standing.sms_tested);
    const voice = channelOf(lines.length > 0, lines.includes('UP'), standing.voice_tested);
    return ok({
      sandbox,
      chatapp,
      sms,
      voice,
      number: standing.number,
      webhook: { connected: standing.webhook_connected, verified: standing.webhook_verified },
      live: sandbox !== 'adopt' && (chatapp.tested || sms.tested || voice.tested),
    });
  },
});

/** What carried something works, whatever is known of it at this moment; what is not there was not tested. */
const channelOf = (connected: boolean, verified: boolean, tested: boolean) => ({
  connected,
  verified: connected && (verified || tested),
  tested: connected && tested,
});

/** The states of what the account can be called by, the sandbox aside. */
async function readLines({ carriers }: Deps, accountId: string): Promise<string[]> {
  const real = carriers.all('voice').filter(({ name }) => name !== 'sandbox');
  const lines = await Promise.all(real.map(({ voice }) => voice.status(accountId)));
  return lines.flat().map(({ state }) => state);
}

/** What an account has besides the sandbox, and whether it was seen to work. */
export interface Standing {
  chat_connected: boolean;
  chat_verified: boolean;
  chat_tested: boolean;
  sms_connected: boolean;
  sms_verified: boolean;
  sms_tested: boolean;
  voice_tested: boolean;
  number: boolean;
  webhook_connected: boolean;
  webhook_verified: boolean;
}

/** So many of the latest are looked at, for each sender or account: what was tried once is behind much traffic, and counts no more. */
const recent = 200;

/**
 * One statement, a bounded number of rows by indexes alone. A sender that moved from the sandbox has a history there: what the
 * sandbox has does not count.
 */
async function readStanding(db: Db, accountId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with senders as materialized (
      select uuid from chatapp_accounts where account_id = ${accountId} and carrier <> 'sandbox'
    ), told as materialized (
      select latest.direction, state.status from senders cross join lateral (
        select message.uuid, message.direction from messages as message
        where message.account_id = ${accountId} and message.chatapp_account = senders.uuid
        order by message.uuid desc limit ${recent}) as latest
      join message_states as state on state.account_id = ${accountId} and state.uuid = latest.uuid
      where not exists (
        select 1 from sandbox_messages as tried where tried.account_id = ${accountId} and tried.message = latest.uuid)
    ), links as materialized (
      select uuid, owner is not null and report ->> 'state' = 'UP' as is_up
      from sms_links where account_id = ${accountId} and carrier <> 'sandbox' and enabled
    )
    select
      exists (select 1 from senders) as chat_connected,
      exists (select 1 from told where direction = 'INBOUND') as chat_verified,
      exists (select 1 from told where status in ('DELIVERED', 'READ')) as chat_tested,
      exists (select 1 from links) as sms_connected,
      exists (select 1 from links where is_up) as sms_verified,
      exists (
        select 1 from (values ('SENT'), ('DELIVERED')) as wanted (status) cross join lateral (
          select state.link from sms_states as state
          where state.account_id = ${accountId} and state.status = wanted.status
          order by state.uuid desc limit ${recent}) as latest
        where latest.link in (select uuid from links)
      ) as sms_tested,
      exists (
        select 1 from (
          select carrier from calls where account_id = ${accountId} and result = 'ANSWERED'
          order by uuid desc limit ${recent}) as latest
        where latest.carrier <> 'sandbox'
      ) as voice_tested,
      exists (
        select 1 from numbers where account_id = ${accountId} and released_at is null and carrier <> 'sandbox'
      ) as number,
      exists (
        select 1 from webhook_endpoints where account_id = ${accountId} and kind <> 'CALLBACK' and enabled
      ) as webhook_connected,
      exists (
        select 1 from webhook_deliveries where account_id = ${accountId} and status = 'SUCCEEDED'
      ) as webhook_verified`.execute(db);
  return rows[0]!;
}
