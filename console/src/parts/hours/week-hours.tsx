import { Button, Group, Switch, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/index.ts';
import { dayName, type Weekday, weekdays } from './days.ts';
import { type HoursWindow, HoursWindows } from './hours-windows.tsx';
import classes from './week-hours.module.css';

export type WeekHours = Schema<'WeekHours'>;

const office: HoursWindow[] = [{ start: '09:00', end: '17:30' }];
const officeWeek = (): WeekHours => Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, [...office]]));

interface WeekHoursFieldProps {
  /** The switch: `Only in these hours`. */
  label: string;
  description: string;
  /** null: always. */
  value?: WeekHours | null;
  onChange(value: WeekHours | null): void;
  error?: ReactNode;
}

/** The hours of a week, day by day, with a picture of each day. */
export function WeekHoursField({ label, description, value = null, onChange, error }: WeekHoursFieldProps) {
  const set = (day: Weekday, windows: HoursWindow[]) => onChange({ ...value, [day]: windows });
  return (
    <div>
      <Switch
        label={label}
        description={description}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? officeWeek() : null)}
      />
      {error && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert" mt={4}>
          {error}
        </Text>
      )}
      {value && (
        <>
          <fieldset className={classes['week']} aria-label={label}>
            <Scale />
            {weekdays.map((day) => (
              <div key={day} className={classes['day']}>
                <Text fw={500} size="sm" className={classes['name']}>
                  {dayName(day)}
                </Text>
                <HoursWindows label={dayName(day)} value={value[day] ?? []} onChange={(windows) => set(day, windows)} />
                <Track windows={value[day] ?? []} before={value[dayBefore(day)] ?? []} />
              </div>
            ))}
          </fieldset>
          <Group mt="sm">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconCopy size={14} />}
              onClick={() =>
                onChange({
                  ...value,
                  ...Object.fromEntries(weekdays.slice(1, 5).map((day) => [day, [...(value.monday ?? [])]])),
                })
              }
            >
              Copy Monday to Friday
            </Button>
          </Group>
        </>
      )}
    </div>
  );
}

const dayBefore = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 6) % 7] ?? 'sunday';
const share = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) / 1440;
const isNight = ({ start, end }: HoursWindow): boolean => end <= start;

/** The hours of a day as bars; what began the evening before is there, too. */
function Track({ windows, before }: { windows: HoursWindow[]; before: HoursWindow[] }) {
  const complete = (list: HoursWindow[]) => list.filter(({ start, end }) => start && end);
  const bars = [
    ...complete(before)
      .filter(isNight)
      .map(({ end }) => [0, share(end)] as const),
    ...complete(windows).map((one) => [share(one.start), isNight(one) ? 1 : share(one.end)] as const),
  ].filter(([from, to]) => to > from);
  return (
    <div className={classes['track']} aria-hidden>
      {bars.map(([from, to], index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name
          key={index}
          className={classes['bar']}
          style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
        />
      ))}
    </div>
  );
}

const Scale = () => (
  <div className={`${classes['day']} ${classes['scale']}`} aria-hidden>
    <div />
    <div />
    <div className={classes['hours']}>
      {[0, 6, 12, 18, 24].map((hour) => (
        <span key={hour}>{hour}</span>
      ))}
    </div>
  </div>
);
