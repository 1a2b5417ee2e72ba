import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Schema } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { colorOf } from '../../parts/facts/status.tsx';
import { Section, Status, sayFigure } from '../../parts/index.ts';
import { hrefOf } from '../../parts/range/figures.ts';
import classes from './overview.module.css';

interface CountsProps {
  title: string;
  total: Schema<'ReportTotal'> | undefined;
}

/** How many of each status; each leads to the list of them. */
export function Counts({ title, total }: CountsProps) {
  const { timeZone } = useHere();
  const all = Object.entries(total?.counts ?? {});
  const most = Math.max(1, ...all.map(([, count]) => count));
  const shown = all.filter(([, count]) => count > 0);
  return (
    <Section
      title={title}
      actions={
        total && (
          <Anchor component={Link} href={hrefOf(total.list, timeZone)} size="sm" aria-label={`All: ${title}`}>
            All
          </Anchor>
        )
      }
    >
      {!total && <Skeleton h={120} />}
      {total && shown.length === 0 && <Text c="dimmed">None.</Text>}
      <ul className={classes['counts']}>
        {shown.map(([word, count]) => (
          <li key={word}>
            <Link href={hrefOf(total!.list, timeZone, word)} className={classes['count']}>
              <span>
                <Status word={word} />
              </span>
              <span className={classes['track']} aria-hidden>
                <div
                  className={classes['bar']}
                  style={{
                    width: `${(count / most) * 100}%`,
                    minWidth: 3,
                    background: `var(--mantine-color-${colorOf(word)}-6)`,
                  }}
                />
              </span>
              <Text span size="sm" fw={600} ta="right">
                {sayFigure(count)}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
