import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing } from '../../../parts/index.ts';
import { countries } from '../countries.ts';

type Tenant = Schema<'Tenant'>;

interface TenantFormProps {
  /** Left out: a new one is made. */
  tenant?: Tenant;
  onDone(tenant: Tenant): void;
  onCancel?(): void;
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** An emptied field is a limit that the server's settings give. */
const limitsOf = (limits: Record<string, number | string>): Record<string, number> =>
  Object.fromEntries(Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== ''));

function valuesOf(tenant?: Tenant) {
  const limits = (tenant?.limits ?? {}) as Schema<'TenantLimits'>;
  return {
    name: tenant?.name ?? '',
    default_country: tenant?.default_country ?? 'GB',
    time_zone: tenant?.time_zone ?? 'UTC',
    limits: {
      requests_per_minute: (limits.requests_per_minute ?? '') as number | string,
      storage_bytes: (limits.storage_bytes ?? '') as number | string,
    },
  };
}

/** Makes or changes an account. */
export function TenantForm({ tenant, onDone, onCancel }: TenantFormProps) {
  return (
    <ApiForm
      initialValues={valuesOf(tenant)}
      edits={editing(tenant, '/v2/accounts/{uuid}/', { uuid: tenant?.uuid ?? '' }, valuesOf)}
      submit={({ limits, ...rest }, ifMatch): Promise<Tenant> => {
        const body = { ...rest, limits: limitsOf(limits) };
        return tenant
          ? call('patch', '/v2/accounts/{uuid}/', { params: { uuid: tenant.uuid }, body, ifMatch })
          : call('post', '/v2/accounts/', { body });
      }}
      button={tenant ? 'Save' : 'Create'}
      done={tenant ? 'Saved.' : 'Created.'}
      invalidates={['/v2/accounts/']}
      onDone={onDone}
      {...(onCancel && { onCancel })}
    >
      {(form) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
          <Select
            label="Country"
            description="Of numbers that are written without a country code."
            data={countries(form.values.default_country)}
            searchable
            allowDeselect={false}
            {...form.getInputProps('default_country')}
          />
          <Select
            label="Time zone"
            data={zones.includes(form.values.time_zone) ? zones : [form.values.time_zone, ...zones]}
            searchable
            allowDeselect={false}
            limit={100}
            {...form.getInputProps('time_zone')}
          />
          <div />
          <NumberInput
            label="Requests per minute"
            description="Of all its tokens. Empty: what the server allows everybody."
            placeholder="The server's default"
            min={1}
            thousandSeparator=","
            clampBehavior="none"
            {...form.getInputProps('limits.requests_per_minute')}
          />
          <NumberInput
            label="Room for files"
            description="Media, audio, recordings, exports. Empty: what the server allows everybody."
            placeholder="The server's default"
            suffix=" bytes"
            min={0}
            thousandSeparator=","
            clampBehavior="none"
            {...form.getInputProps('limits.storage_bytes')}
          />
        </SimpleGrid>
      )}
    </ApiForm>
  );
}
