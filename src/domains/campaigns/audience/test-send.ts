import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { ApiError, notFound, sentenceOf, ValidationError } from '../../../platform/errors.ts';
import { Phone, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { type MessageCreate, sendMessages } from '../../messages/index.ts';
import { type SmsCreate, sendSmsAll } from '../../sms/index.ts';
import { makeComposer, type Request, requestOf } from '../feed/compose.ts';
import { findCampaign } from '../queries.ts';
import { fieldsOf } from '../schemas.ts';
import { findPerson } from './preview.ts';

export const CampaignTest = Type.Object(
  {
    to: Type.Array(Phone(), { minItems: 1, maxItems: 10, uniqueItems: true, description: 'Who gets it: colleagues.' }),
    contact: Type.Optional(
      Uuid('The contact whose fields fill the placeholders. Left out: each recipient’s own, if known.'),
    ),
  },
  { title: 'CampaignTest' },
);

export const CampaignTestResults = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          to: Type.String(),
          message: nullable(Uuid('The message, or the SMS; null: nothing was sent.')),
          missing: Type.Array(Type.String(), { description: 'Placeholders without a value and without a fallback.' }),
          problem: nullable(Type.String({ description: 'Why nothing was sent.' })),
        },
        { title: 'CampaignTestResult' },
      ),
    ),
  },
  { title: 'CampaignTestResults' },
);

/**
 * Sends a campaign to a few people as a test. These are messages like any other, except that no launch counts them and links are
 * sent as they were written. People who opted out get nothing.
 */
export async function testCampaign(
  deps: Deps,
  accountId: string,
  uuid: string,
  { to: recipients, contact }: Static<typeof CampaignTest>,
): Promise<Static<typeof CampaignTestResults>> {
  const row = await findCampaign(deps.db, accountId, uuid);
  if (!row) throw notFound();
  const campaign = fieldsOf(row);
  const compose = makeComposer(campaign);
  const made = [];
  for (const to of recipients) {
    const person = await findPerson(
      deps,
      accountId,
      campaign,
      contact === undefined ? { phone_number: to } : { contact },
    );
    const { content, missing, isTooLong } = compose(person);
    const request = isTooLong
      ? { problem: 'With its placeholders filled in, the text is too long.' }
      : requestOf(campaign, content, to);
    made.push({ to, missing, request });
  }
  const sendable = made.flatMap(({ request }) => ('problem' in request ? [] : [request]));
  const sent = await sendAll(deps, accountId, uuid, sendable);
  return {
    results: made.map(({ to, missing, request }) => {
      if ('problem' in request) return { to, message: null, missing, problem: request.problem };
      const result = sent[sendable.indexOf(request)]!;
      return result.status === 'fulfilled'
        ? { to, message: result.value.uuid, missing, problem: null }
        : { to, message: null, missing, problem: sentenceFor(result.reason) };
    }),
  };
}

function sendAll(deps: Deps, accountId: string, campaign: string, requests: Request[]) {
  const marked = requests.map(({ channel, request }) => ({
    channel,
    request: { ...request, meta_data: { ...request.meta_data, campaign_test: campaign } },
  }));
  const of = (channel: Request['channel']) => marked.filter((one) => one.channel === channel);
  return requests[0]?.channel === 'SMS'
    ? sendSmsAll(
        deps,
        of('SMS').map(({ request }) => ({ accountId, request: request as SmsCreate })),
      )
    : sendMessages(
        deps,
        of('CHATAPP').map(({ request }) => ({ accountId, request: request as MessageCreate })),
      );
}

/** An error of the message becomes a sentence; any other error is a fault of ours and is thrown. */
function sentenceFor(reason: unknown): string {
  if (reason instanceof ValidationError) return sentenceOf(reason.errors);
  if (reason instanceof ApiError) return reason.message;
  throw reason;
}
