import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Section, Status, sayFigure } from '../../parts/index.ts';
import classes from './overview.module.css';

interface CountsProps {
  title: string;
  /** The area. */
  href: string;
  counts: Record<string, number> | undefined;
  /** Where a word leads: the list with that filter. */
  linkOf(word: string): string;
}

const colors: Record<string, string> = {
  FAILED: 'red',
  REJECTED: 'red',
  MISSED: 'orange',
  BUSY: 'orange',
  ABANDONED: 'orange',
  READ: 'green',
  ANSWERED: 'green',
  RECEIVED: 'green',
  DELIVERED: 'brand',
  SENT: 'blue',
};

/** How many of each status today; each leads to the list of them. */
export function Counts({ title, href, counts, linkOf }: CountsProps) {
  const all = Object.entries(counts ?? {});
  const most = Math.max(1, ...all.map(([, count]) => count));
  const shown = all.filter(([, count]) => count > 0);
  return (
    <Section
      title={title}
      actions={
        <Anchor component={Link} href={href} size="sm" aria-label={`All: ${title}`}>
          All
        </Anchor>
      }
    >
      {!counts && <Skeleton h={120} />}
      {counts && shown.length === 0 && <Text c="dimmed">None today.</Text>}
      <ul className={classes['counts']}>
        {shown.map(([word, count]) => (
          <li key={word}>
            <Link href={linkOf(word)} className={classes['count']}>
              <span>
                <Status word={word} />
              </span>
              <span className={classes['track']} aria-hidden>
                <div
                  className={classes['bar']}
                  style={{
                    width: `${(count / most) * 100}%`,
                    minWidth: 3,
                    ...(colors[word] && { background: `var(--mantine-color-${colors[word]}-6)` }),
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
