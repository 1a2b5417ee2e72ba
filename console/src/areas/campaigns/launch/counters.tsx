import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { Stat, Time } from '../../../parts/index.ts';
import { locale } from '../../../parts/locale.ts';
import { type Log, leftOf, throughOf } from '../wizard/shares.ts';

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const figure = new Intl.NumberFormat(locale);

/** The main figures of a launch. */
export function Counters({ log }: { log: Log }) {
  const { through, audience, share } = throughOf(log);
  const arrived = log.delivered + log.read;
  const left = leftOf(log);
  const of = (part: number, whole: number): string => (whole > 0 ? percent.format(part / whole) : '');
  const isSms = log.channel === 'SMS';
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      <Stat
        label={log.status === 'CANCELLED' ? 'Sent before it was cancelled' : 'Processed'}
        value={log.audience === null ? '–' : percent.format(Math.floor(share * 1000) / 1000)}
        hint={log.audience === null ? <Begins log={log} /> : `${figure.format(through)} of ${figure.format(audience)}`}
      />
      <Stat label="Rate" value={log.status === 'RUNNING' ? `${log.rate}/s` : '–'} hint={<Eta log={log} />} />
      <Stat label="Delivered" value={arrived} hint={of(arrived, left)} />
      {isSms ? (
        <Stat label="Failed" value={log.failed} hint={of(log.failed, left)} />
      ) : (
        <Stat label="Read" value={log.read} hint={of(log.read, left)} />
      )}
      <Stat label="Replied" value={log.replied} hint={of(log.replied, arrived)} />
      <Stat label="Links opened" value={log.clicked} hint={of(log.clicked, arrived)} />
    </SimpleGrid>
  );
}

const Begins = ({ log }: { log: Log }): ReactNode =>
  log.send_at ? (
    <>
      Begins <Time at={log.send_at} />
    </>
  ) : (
    'Begins at once'
  );

function Eta({ log }: { log: Log }): ReactNode {
  if (log.finished)
    return (
      <>
        Ended <Time at={log.finished} />
      </>
    );
  if (log.status === 'PAUSED') return 'Paused';
  if (log.status !== 'RUNNING') return 'Not begun';
  if (!log.eta) return 'Estimating…';
  const seconds = (Date.parse(log.eta) - Date.now()) / 1000;
  return `Done in ${sayLong(seconds)}`;
}

function sayLong(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  return `${Math.round(seconds / 86_400)} days`;
}
