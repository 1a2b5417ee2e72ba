import { SimpleGrid } from '@mantine/core';
import { useOne } from '../../../api/index.ts';
import { Section, Stat, sayFigure, Time } from '../../../parts/index.ts';
import { saySeconds } from './words.ts';

/** How many messages wait, for a row of a list. */
export function QueueCell({ uuid }: { uuid: string }) {
  const { data } = useOne('/v2/chatapp/accounts/{uuid}/queue/', { uuid }, undefined, { refetchInterval: 10_000 });
  if (!data) return <span>…</span>;
  return <span>{data.depth === 0 ? 'Empty' : `${sayFigure(data.depth)} waiting`}</span>;
}

/** What a sender has still to hand over, as it goes down. */
export function QueueSection({ uuid }: { uuid: string }) {
  const { data } = useOne('/v2/chatapp/accounts/{uuid}/queue/', { uuid }, undefined, { refetchInterval: 3000 });
  return (
    <Section title="Queue" description="Accepted messages waiting to be sent.">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Stat label="Waiting" value={data?.depth} hint={data?.paused ? 'On hold: paused' : 'right now'} />
        <Stat
          label="Time needed"
          value={data && (data.depth === 0 ? 'None' : saySeconds(data.eta_seconds))}
          hint={data && `at ${sayFigure(data.messages_per_second)} per second`}
        />
        <Stat
          label="Oldest"
          value={data && (data.oldest ? saySeconds((Date.now() - Date.parse(data.oldest)) / 1000) : '–')}
          hint={data?.oldest && <Time at={data.oldest} exact />}
        />
      </SimpleGrid>
    </Section>
  );
}
