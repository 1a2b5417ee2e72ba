import { type Static, Type } from 'typebox';
import { Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const CampaignReviewOf = Type.Object(
  {
    send_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the launch would begin; left out: when the campaign says.',
      }),
    ),
  },
  { title: 'CampaignReviewOf' },
);

const MissingValue = Type.Object(
  {
    placeholder: Type.String({ description: 'The placeholder, as it is written in the message.' }),
    people: count('Recipients without a value for it, and without a fallback.'),
    similar: nullable(Type.String({ description: 'A name that contacts do have and that is spelt almost like it.' })),
    examples: Type.Array(
      Type.Object(
        { contact: Uuid(), phone_number: Type.String(), name: Type.String() },
        { title: 'CampaignReviewContact' },
      ),
      { maxItems: 3, description: 'Up to three of them.' },
    ),
  },
  { title: 'CampaignMissingValue' },
);

export const CampaignReview = Type.Object(
  {
    audience: count('Contacts on the lists who meet the conditions, without those on excluded lists.'),
    people: count('Those who would get the message.'),
    left_out: Type.Object(
      {
        opted_out: count('Opted out of the channel.'),
        window_closed: count('A text on the chat app: did not write to the sender within the last day.'),
      },
      { title: 'CampaignLeftOut', description: 'Those who would get nothing, by reason.' },
    ),
    missing: Type.Array(MissingValue, {
      description: 'Placeholders that some recipients have no value for. The first 20 placeholders are checked.',
    }),
    sms: nullable(
      Type.Object(
        {
          parts: count('SMS parts in total.'),
          fewest: count('Parts of the shortest message.'),
          most: count('Parts of the longest message.'),
          unicode: count('Messages with characters outside GSM-7, which fit 70 instead of 160 characters.'),
        },
        { title: 'CampaignSmsParts', description: 'null: not an SMS. With `track_links` an estimate.' },
      ),
    ),
    cost: nullable(
      Type.Object(
        {
          amount: Type.Number({ minimum: 0, description: 'The estimate.' }),
          currency: Type.String({ description: 'ISO 4217.' }),
          unit_price: Type.Number({
            minimum: 0,
            description: 'The price of an SMS part, or of a chat message; the average where prices differ.',
          }),
          unpriced: count('Recipients whose number has no price; they count as 0.'),
        },
        {
          title: 'CampaignCost',
          description:
            'By the `prices` of the safeguards, else those of the account, whose currency it is in; null: none is set, or no currency.',
        },
      ),
    ),
    begins: Timestamp('When the launch would begin.'),
    ends: nullable(Timestamp('When it would be done at its rate, quiet hours included; null: that cannot be told.')),
    rate_per_second: nullable(Type.Number({ description: 'Messages per second that the estimate uses.' })),
    held: nullable(
      Type.Object(
        {
          people: count('Recipients who are in their quiet hours when it begins.'),
          from: Timestamp('When the first of them get it.'),
          until: Timestamp('When the last of them get it.'),
        },
        { title: 'CampaignHeld', description: 'null: nobody is held.' },
      ),
    ),
    received: Type.Object(
      {
        people: count('Recipients to whom an earlier launch of this campaign already sent it.'),
        launches: Type.Array(
          Type.Object(
            {
              campaign_log: Uuid('The launch.'),
              created: Timestamp('When it was launched.'),
              people: count('How many of the recipients it was sent to.'),
            },
            { title: 'CampaignReviewLaunch' },
          ),
          { description: 'The newest first; at most 10.' },
        ),
      },
      { title: 'CampaignReceived', description: 'Who already got it from an earlier launch.' },
    ),
    warnings: Type.Array(Type.String(), { description: 'What will not go as expected, one sentence each.' }),
  },
  { title: 'CampaignReview' },
);
export type CampaignReview = Static<typeof CampaignReview>;
