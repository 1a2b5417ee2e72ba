import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { ok } from '../../platform/http/route.ts';
import { sandboxMode, sandboxModes } from '../accounts/index.ts';
import { readStanding } from './go-live-queries.ts';

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
