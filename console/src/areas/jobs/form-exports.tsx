import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useList } from '../../api/index.ts';
import { ListSelect } from '../../parts/fields/list-select.tsx';
import { optionsOf } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';
import { filled, JobForm } from './job-form.tsx';

/** A file of contacts. */
export const ExportContacts = () => (
  <JobForm type="contacts.export" initial={{ q: '', list: '', language_code: '' }} inputOf={filled} button="Export">
    {(form) => (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name or number begins with" {...form.getInputProps('input.q')} />
        <ListSelect
          label="Only those on"
          value={form.values.input.list}
          onChange={(uuid) => form.setFieldValue('input.list', uuid)}
        />
        <TextInput label="Language" placeholder="en_GB" {...form.getInputProps('input.language_code')} />
      </SimpleGrid>
    )}
  </JobForm>
);

const results = ['ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED'];
const optional = { placeholder: 'Any', clearable: true } as const;

/** A file of call records. */
export const ExportCalls = () => (
  <JobForm
    type="cdr.export"
    initial={{ from: '', to: '', number: '', caller: '', result: '', direction: '' }}
    inputOf={filled}
    button="Export"
  >
    {(form) => (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput type="date" label="From" description="Days in UTC." {...form.getInputProps('input.from')} />
        <TextInput
          type="date"
          label="To, with this day"
          description="Days in UTC."
          {...form.getInputProps('input.to')}
        />
        <TextInput label="Your number" type="tel" {...form.getInputProps('input.number')} />
        <TextInput label="Caller" type="tel" {...form.getInputProps('input.caller')} />
        <Select label="Result" {...optional} data={optionsOf(results)} {...form.getInputProps('input.result')} />
        <Select
          label="Direction"
          {...optional}
          data={[
            { value: 'INBOUND', label: 'Inbound' },
            { value: 'OUTBOUND', label: 'Outbound' },
          ]}
          {...form.getInputProps('input.direction')}
        />
      </SimpleGrid>
    )}
  </JobForm>
);

/** A file of everybody a launch came to. */
export function ExportLaunch() {
  const logs = useList('/v2/campaign-logs/', {}, { pageSize: 200 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <JobForm type="campaign_logs.export" initial={{ campaign_log: '' }} inputOf={filled} button="Export">
      {(form) => (
        <Select
          label="Launch"
          required
          searchable
          data={logs.rows.map(({ uuid, name, created }) => ({
            value: uuid,
            label: `${name}, ${day.format(new Date(created))}`,
          }))}
          nothingFoundMessage="Nothing has been launched yet."
          {...form.getInputProps('input.campaign_log')}
        />
      )}
    </JobForm>
  );
}
