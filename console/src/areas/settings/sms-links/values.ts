import type { Schema } from '../../../api/index.ts';

type SmsLink = Schema<'SmsLink'>;

/** A number input holds text while it is empty. */
type Figure = number | string;

/** What everybody has to know about the other side. */
const newValues = {
  carrier: 'smpp' as 'smpp' | 'sandbox',
  name: '',
  host: '',
  port: 2775 as Figure,
  tls: false,
  tls_verify: true,
  tls_ca: '',
  tls_cert: '',
  tls_key: '',
  system_id: '',
  password: '',
  system_type: '',
  bind: 'transceiver' as 'transceiver' | 'transmitter_receiver',
  window: 10 as Figure,
  response_timeout_seconds: 30 as Figure,
  enquire_link_seconds: 30 as Figure,
  service_type: '',
  source_ton: '' as Figure,
  source_npi: '' as Figure,
  dest_ton: '' as Figure,
  dest_npi: '' as Figure,
  id_format: 'auto' as 'auto' | 'same' | 'decimal' | 'hex',
  messages_per_second: 100 as Figure,
  weight: 1 as Figure,
  enabled: true,
};

export type SmsLinkValues = typeof newValues;

/** The values of the form: those of a link, or the usual ones. */
export function valuesOf(link: SmsLink | undefined): SmsLinkValues {
  if (!link) return newValues;
  const known = Object.fromEntries(Object.entries(link).filter(([, value]) => value !== null));
  return { ...newValues, ...(known as Partial<SmsLinkValues>), password: '', tls_key: '' };
}

const orNull = (value: Figure): number | null => (value === '' ? null : (value as number));

/** What is sent: a link of the sandbox has no other side. */
export function bodyOf(values: SmsLinkValues, isNew: boolean) {
  const { name, messages_per_second, weight, enabled } = values;
  const common = {
    ...(name && { name }),
    messages_per_second: messages_per_second as number,
    weight: weight as number,
    enabled,
  };
  if (values.carrier === 'sandbox') return common;
  return {
    ...common,
    host: values.host,
    port: values.port as number,
    tls: values.tls,
    tls_verify: values.tls_verify,
    tls_ca: values.tls_ca || null,
    tls_cert: values.tls_cert || null,
    system_id: values.system_id,
    system_type: values.system_type,
    bind: values.bind,
    window: values.window as number,
    response_timeout_seconds: values.response_timeout_seconds as number,
    enquire_link_seconds: values.enquire_link_seconds as number,
    service_type: values.service_type,
    source_ton: orNull(values.source_ton),
    source_npi: orNull(values.source_npi),
    dest_ton: orNull(values.dest_ton),
    dest_npi: orNull(values.dest_npi),
    id_format: values.id_format,
    // Stored passwords stay unless another is given.
    ...((isNew || values.password) && { password: values.password }),
    // So do keys, unless their certificate is taken away.
    ...(values.tls_key ? { tls_key: values.tls_key } : !values.tls_cert && !isNew && { tls_key: '' }),
  };
}
