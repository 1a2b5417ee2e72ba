import { Modal, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { ApiForm, editing, optionsOf } from '../../parts/index.ts';
import { groupingsOf, type Metric, metrics } from './words.ts';

type Schedule = Schema<'ReportSchedule'>;
type Fields = Schema<'ReportScheduleCreate'>;

interface ScheduleDialogProps {
  /** Left out: a new one. */
  schedule: Schedule | undefined;
  opened: boolean;
  close(): void;
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const rhythms = { day: 'Every day', week: 'Every week', month: 'On the first of the month' };
const comparisons = { none: 'No comparison', previous: 'Previous period', year: 'Same days last year' };

const valuesOf = (schedule: Partial<Schedule> = {}) => ({
  name: schedule.name ?? '',
  metric: (schedule.metric ?? 'calls') as Metric,
  group_by: schedule.group_by ?? 'day',
  compare: schedule.compare ?? 'previous',
  every: schedule.every ?? 'week',
  weekday: schedule.weekday ?? 'monday',
  hour: String(schedule.hour ?? 8),
  days: (schedule.days ?? '') as number | string,
  enabled: schedule.enabled ?? true,
});

const bodyOf = ({ hour, days, ...values }: ReturnType<typeof valuesOf>): Fields =>
  ({ ...values, hour: Number(hour), days: days === '' ? null : Number(days) }) as Fields;

/** Makes or changes a schedule. */
export const ScheduleDialog = ({ schedule, opened, close }: ScheduleDialogProps) => (
  <Modal opened={opened} onClose={close} title={schedule ? 'Edit the schedule' : 'New schedule'}>
    <ScheduleForm schedule={schedule} close={close} />
  </Modal>
);

function ScheduleForm({ schedule, close }: Omit<ScheduleDialogProps, 'opened'>) {
  const { timeZone } = useHere();
  const params = { uuid: schedule?.uuid ?? '' };
  return (
    <ApiForm
      initialValues={valuesOf(schedule)}
      edits={editing(schedule, '/v2/report-schedules/{uuid}/', params, valuesOf)}
      submit={(values, ifMatch) =>
        schedule
          ? call('patch', '/v2/report-schedules/{uuid}/', { params, body: bodyOf(values), ifMatch })
          : call('post', '/v2/report-schedules/', { body: bodyOf(values) })
      }
      done="Saved."
      invalidates={['/v2/report-schedules/']}
      onDone={close}
      onCancel={close}
      side
    >
      {(form) => (
        <Stack>
          <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
          <Select
            label="Report on"
            data={Object.entries(metrics).map(([value, { label }]) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps('metric')}
          />
          <Select
            label="Group by"
            data={groupingsOf(form.values.metric, 1)}
            allowDeselect={false}
            {...form.getInputProps('group_by')}
          />
          <Select
            label="Compare with"
            data={optionsOf(comparisons)}
            allowDeselect={false}
            {...form.getInputProps('compare')}
          />
          <Select label="How often" data={optionsOf(rhythms)} allowDeselect={false} {...form.getInputProps('every')} />
          {form.values.every === 'week' && (
            <Select
              label="Day of the week"
              data={optionsOf(weekdays)}
              allowDeselect={false}
              {...form.getInputProps('weekday')}
            />
          )}
          <Select
            label="At"
            description={`In ${timeZone}.`}
            data={hours}
            allowDeselect={false}
            {...form.getInputProps('hour')}
          />
          <NumberInput
            label="Days"
            description="How many days up to the day before. Empty: the day, the seven days or the month before."
            min={1}
            max={3660}
            allowDecimal={false}
            {...form.getInputProps('days')}
          />
          <Switch label="Enabled" {...form.getInputProps('enabled', { type: 'checkbox' })} />
        </Stack>
      )}
    </ApiForm>
  );
}
