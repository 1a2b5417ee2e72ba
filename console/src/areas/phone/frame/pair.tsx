import { Badge, Group, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Log } from '../log.tsx';
import { type Side, usePeople } from '../people.ts';
import { PersonEdit, PersonLabel } from '../person-label.tsx';
import { isSame, type Person } from '../types.ts';
import type { Opening } from '../use-handset.ts';
import { Handset, type HandsetNews } from './handset.tsx';
import classes from './pair.module.css';
import { TopBar } from './top-bar.tsx';

const sides: Side[] = ['A', 'B'];
const otherOf = (side: Side): Side => (side === 'A' ? 'B' : 'A');
const quiet: HandsetNews = { unread: 0, ringing: false };

/** Two phones side by side, the lead's and the agent's; one at a time where there is little room. */
export function Pair({ opening }: { opening?: Opening }) {
  const [people, setPeople] = usePeople();
  const isWide = useMediaQuery('(min-width: 56em)', true, { getInitialValueInEffect: false });
  // A link that leads to A's own number is meant for B: nobody chats with themselves.
  const addressed: Side = opening && isSame(opening.number, people.A.number) ? 'B' : 'A';
  const [shown, setShown] = useState<Side>(addressed);
  const [news, setNews] = useState<Record<Side, HandsetNews>>({ A: quiet, B: quiet });
  const [logOpen, setLogOpen] = useState(false);
  const editing = (side: Side) => ({
    person: people[side],
    taken: people[otherOf(side)].number,
    onChange: (person: Person) => setPeople((before) => ({ ...before, [side]: person })),
  });
  useEffect(() => {
    document.title = 'Phone simulator · Parley';
  }, []);
  return (
    <div className={classes['page']}>
      <TopBar logOpen={logOpen} onLog={() => setLogOpen(!logOpen)} />
      {!isWide && (
        <nav className={classes['switch']} aria-label="Phones">
          <SegmentedControl
            className={classes['sides']}
            fullWidth
            aria-label="Which phone"
            value={shown}
            onChange={(side) => setShown(side as Side)}
            data={sides.map((side) => ({
              value: side,
              label: <Choice name={people[side].name || side} news={shown === side ? quiet : news[side]} />,
            }))}
          />
          <PersonEdit key={shown} {...editing(shown)} />
        </nav>
      )}
      <div className={classes['body']}>
        <main className={classes['desk']}>
          <VisuallyHidden component="h1">Phone simulator</VisuallyHidden>
          {sides.map((side) => {
            const visible = isWide || shown === side;
            return (
              <div key={side} className={classes['place']} hidden={!visible}>
                <PersonLabel side={side} {...editing(side)} />
                <div className={classes['stand']}>
                  <Handset
                    key={people[side].number}
                    label={`${people[side].name || people[side].number}'s phone`}
                    person={people[side]}
                    other={people[otherOf(side)]}
                    opening={addressed === side ? opening : undefined}
                    visible={visible}
                    onNews={(now) => setNews((before) => ({ ...before, [side]: now }))}
                  />
                </div>
              </div>
            );
          })}
        </main>
        {logOpen && <Log people={people} onClose={() => setLogOpen(false)} />}
      </div>
    </div>
  );
}

function Choice({ name, news: { unread, ringing } }: { name: string; news: HandsetNews }) {
  const words = ringing ? 'rings' : unread > 99 ? '99+' : unread > 0 ? String(unread) : '';
  return (
    <Group gap={6} justify="center" wrap="nowrap">
      <Text component="span" inherit truncate>
        {name}
      </Text>
      {words && (
        <Badge size="xs" color="red.8" component="span" tt="none" flex="none">
          {words}
          {!ringing && <VisuallyHidden> unread</VisuallyHidden>}
        </Badge>
      )}
    </Group>
  );
}
