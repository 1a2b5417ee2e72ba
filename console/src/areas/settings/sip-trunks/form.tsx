import { NumberInput, Select, SimpleGrid, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, SecretInput, Section } from '../../../parts/index.ts';
import { More } from '../more.tsx';
import { TrafficFields } from '../traffic-fields.tsx';

type SipTrunk = Schema<'SipTrunk'>;
type Codec = SipTrunk['codecs'][number];

interface SipTrunkFormProps {
  /** Left out: a new one is made. */
  trunk?: SipTrunk;
  onDone(trunk: SipTrunk): void;
  onCancel(): void;
}

/** Which codec is tried first; the other follows, or is left out. */
const codecChoices = [
  { value: 'PCMA,PCMU', label: 'PCMA (Europe), then PCMU' },
  { value: 'PCMU,PCMA', label: 'PCMU (America), then PCMA' },
  { value: 'PCMA', label: 'PCMA only' },
  { value: 'PCMU', label: 'PCMU only' },
];

const hasFineError = (errors: object): boolean =>
  Object.keys(errors).some((name) => /^(allowed_addresses|codecs|from_domain)/.test(name));

const valuesOf = (trunk?: SipTrunk) => ({
  name: trunk?.name ?? '',
  host: trunk?.host ?? '',
  port: (trunk?.port ?? 5060) as number | string,
  transport: (trunk?.transport ?? 'udp') as SipTrunk['transport'],
  tls_verify: trunk?.tls_verify ?? true,
  tls_ca: trunk?.tls_ca ?? '',
  tls_client_name: trunk?.tls_client_name ?? '',
  srtp: (trunk?.srtp ?? 'off') as SipTrunk['srtp'],
  username: trunk?.username ?? '',
  password: '',
  register: trunk?.register ?? false,
  allowed_addresses: trunk?.allowed_addresses ?? [],
  codecs: (trunk?.codecs ?? ['PCMA', 'PCMU']).join(),
  from_domain: trunk?.from_domain ?? '',
  weight: (trunk?.weight ?? 1) as number | string,
  enabled: trunk?.enabled ?? true,
});

/** Makes or changes a trunk. */
export function SipTrunkForm({ trunk, onDone, onCancel }: SipTrunkFormProps) {
  return (
    <ApiForm
      initialValues={valuesOf(trunk)}
      edits={editing(trunk, '/v2/sip-trunks/{uuid}/', { uuid: trunk?.uuid ?? '' }, valuesOf)}
      submit={(
        { name, password, codecs, port, weight, tls_ca, tls_client_name, srtp, ...rest },
        ifMatch,
      ): Promise<SipTrunk> => {
        const body = {
          ...rest,
          tls_ca: tls_ca || null,
          tls_client_name: tls_client_name || null,
          // What is not asked for without TLS is not sent either.
          srtp: rest.transport === 'tls' ? srtp : ('off' as const),
          port: port as number,
          weight: weight as number,
          codecs: codecs.split(',') as Codec[],
          ...(name && { name }),
          ...(password && { password }),
        };
        return trunk
          ? call('patch', '/v2/sip-trunks/{uuid}/', { params: { uuid: trunk.uuid }, body, ifMatch })
          : call('post', '/v2/sip-trunks/', { body });
      }}
      button={trunk ? 'Save' : 'Create'}
      done={trunk ? 'Saved.' : 'Created.'}
      invalidates={['/v2/sip-trunks/', '/v2/network-status/voice/']}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <Section title="Carrier or PBX">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Host"
                description="Host name or IP address. Calls from its addresses are accepted."
                placeholder="sip.example.net"
                required
                {...form.getInputProps('host')}
              />
              <SimpleGrid cols={2}>
                <NumberInput
                  label="Port"
                  description="Usually 5060; of TLS 5061."
                  min={1}
                  max={65_535}
                  allowDecimal={false}
                  clampBehavior="none"
                  {...form.getInputProps('port')}
                />
                <Select
                  label="Transport"
                  description="TLS is encrypted."
                  data={[
                    { value: 'udp', label: 'UDP' },
                    { value: 'tcp', label: 'TCP' },
                    { value: 'tls', label: 'TLS' },
                  ]}
                  allowDeselect={false}
                  {...form.getInputProps('transport')}
                />
              </SimpleGrid>
              <TextInput
                label="User name"
                description="For authentication and registration."
                maxLength={100}
                autoComplete="off"
                {...form.getInputProps('username')}
              />
              <SecretInput
                label="Password"
                description={trunk ? 'Leave empty to keep the current value.' : 'Stored encrypted, never shown.'}
                maxLength={200}
                {...form.getInputProps('password')}
              />
            </SimpleGrid>
            {form.values.transport === 'tls' && (
              <Stack mt="md">
                <Select
                  label="Encrypted audio (SRTP)"
                  description="Required: calls that are not encrypted are refused."
                  data={[
                    { value: 'off', label: 'Off' },
                    { value: 'optional', label: 'If the carrier does so, too' },
                    { value: 'required', label: 'Required' },
                  ]}
                  allowDeselect={false}
                  {...form.getInputProps('srtp')}
                />
                <Switch
                  label="Check the certificate"
                  description="Without it anybody can pose as the carrier: for trials only."
                  {...form.getInputProps('tls_verify', { type: 'checkbox' })}
                />
                <Textarea
                  label="Certificate authority"
                  description="PEM; empty when the certificate is signed by somebody public."
                  placeholder="-----BEGIN CERTIFICATE-----"
                  autosize
                  minRows={3}
                  maxRows={10}
                  {...form.getInputProps('tls_ca')}
                />
                <TextInput
                  label="Client certificate name"
                  description="Inbound calls must show a certificate with this name, signed by the authority above. Empty: none is needed."
                  placeholder="pbx.example.net"
                  maxLength={253}
                  {...form.getInputProps('tls_client_name')}
                />
              </Stack>
            )}
            <Switch
              mt="md"
              label="Register"
              description="Registers with the carrier to receive calls. Requires a user name."
              {...form.getInputProps('register', { type: 'checkbox' })}
            />
          </Section>
          <TrafficFields
            form={form}
            one="trunk"
            share="the calls"
            stored={trunk !== undefined}
            off="A disabled trunk takes no calls."
          />
          <Section>
            <More title="Advanced" open={hasFineError(form.errors)}>
              <Stack>
                <TagsInput
                  label="Allowed addresses"
                  description="Additional IP addresses and networks that calls come from. Press Enter after each."
                  placeholder={form.values.allowed_addresses.length > 0 ? '' : '192.0.2.0/24'}
                  maxTags={50}
                  {...form.getInputProps('allowed_addresses')}
                />
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <Select label="Codecs" data={codecChoices} allowDeselect={false} {...form.getInputProps('codecs')} />
                  <TextInput
                    label="Domain of callers"
                    placeholder="That of the host"
                    {...form.getInputProps('from_domain')}
                  />
                </SimpleGrid>
              </Stack>
            </More>
          </Section>
        </>
      )}
    </ApiForm>
  );
}
