import { Alert, Anchor, List, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { Facts, Problem, Section, sayFigure, Time } from '../../../../parts/index.ts';
import type { Campaign } from '../form.ts';
import { type Review, sayCost, sayPeople, useReview } from './use-review.ts';

/** What a launch would do: whom it reaches and leaves out, what is missing, what it costs, how long it takes. */
export function ReviewFacts({ campaign }: { campaign: Campaign }) {
  const { data, error, refetch } = useReview(campaign);
  return (
    <Section title="Before you launch" description="As things are now. The launch counts again when it starts.">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton h={160} />}
      {data && (
        <Stack gap="md">
          <Warnings review={data} />
          <Figures campaign={campaign} review={data} />
          {data.missing.length > 0 && <Missing review={data} />}
        </Stack>
      )}
    </Section>
  );
}

function Warnings({ review }: { review: Review }) {
  if (review.warnings.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title="Please check" role="alert">
      <List size="sm">
        {review.warnings.map((text) => (
          <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
            {text}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Figures({ campaign, review }: { campaign: Campaign; review: Review }) {
  const { sms, cost, held, received, left_out, begins, ends } = review;
  const out = left_out.opted_out + left_out.window_closed;
  return (
    <Facts
      rows={[
        ['Recipients', sayPeople(review.people)],
        [
          'Left out',
          out === 0
            ? 'Nobody'
            : [
                left_out.opted_out > 0 && `${sayFigure(left_out.opted_out)} opted out`,
                left_out.window_closed > 0 && `${sayFigure(left_out.window_closed)} did not write within a day`,
              ]
                .filter(Boolean)
                .join(', '),
        ],
        received.people > 0 && [
          'Already got it',
          <Fragment key="received">
            {sayPeople(received.people)} will get it again:{' '}
            {received.launches
              .filter(({ people }) => people > 0)
              .map(({ campaign_log, created, people }, index) => (
                <Fragment key={campaign_log}>
                  {index > 0 && ', '}
                  <Anchor
                    component={Link}
                    href={`/campaigns/${campaign.uuid}/launches/${campaign_log}`}
                    size="sm"
                    inherit
                  >
                    {sayFigure(people)} from the launch <Time at={created} />
                  </Anchor>
                </Fragment>
              ))}
          </Fragment>,
        ],
        sms !== null && ['SMS parts', saySms(sms)],
        [
          'Cost',
          cost ? (
            `About ${sayCost(cost)}`
          ) : (
            <>
              Not known.{' '}
              <Anchor component={Link} href="/settings/account" inherit>
                Set your prices
              </Anchor>
            </>
          ),
        ],
        ['Begins', Date.parse(begins) - Date.now() < 60_000 ? 'At once' : <Time key="begins" at={begins} exact />],
        held !== null && [
          'Quiet hours',
          <Fragment key="held">
            Hold it for {sayPeople(held.people)} until <Time at={held.from} exact />
            {held.until !== held.from && (
              <>
                ; for the last until <Time at={held.until} exact />
              </>
            )}
          </Fragment>,
        ],
        ['Ends', ends ? <Ends key="ends" at={ends} /> : 'Cannot be told'],
      ]}
    />
  );
}

const Ends = ({ at }: { at: string }) => (
  <>
    About <Time at={at} exact />
  </>
);

function saySms({ parts, fewest, most, unicode }: NonNullable<Review['sms']>): string {
  const each = fewest === most ? `${most} each` : `${fewest} to ${most} each`;
  const shorter = unicode > 0 ? `; ${sayFigure(unicode)} with letters outside the SMS alphabet` : '';
  return `${sayFigure(parts)} (${each}${shorter})`;
}

const Missing = ({ review }: { review: Review }) => (
  <Table aria-label="Missing values" verticalSpacing={6}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Placeholder</Table.Th>
        <Table.Th ta="right">Without a value</Table.Th>
        <Table.Th>For example</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {review.missing.map(({ placeholder, people, similar, examples }) => (
        <Table.Tr key={placeholder}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {placeholder}
            {similar && (
              <Text size="xs" c="dimmed">
                Did you mean {similar}?
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">{people === review.people ? 'Everybody' : sayFigure(people)}</Table.Td>
          <Table.Td>
            {examples.map(({ contact, name, phone_number }, index) => (
              <Fragment key={contact}>
                {index > 0 && ', '}
                <Anchor component={Link} href={`/contacts/${contact}`} size="sm">
                  {name || phone_number}
                </Anchor>
              </Fragment>
            ))}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
