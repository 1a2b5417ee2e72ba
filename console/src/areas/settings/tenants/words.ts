import type { Schema } from '../../../api/index.ts';
import { locale } from '../../../parts/locale.ts';

type Tenant = Schema<'Tenant'>;

export const standings = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'SUSPENDED', label: 'Suspended' },
  { value: 'DELETING', label: 'Being deleted' },
];

export const sayStanding = ({ status, operator }: Tenant): string =>
  operator ? 'Yours' : standings.find(({ value }) => value === status)!.label;

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function sayBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toLocaleString(locale, { maximumFractionDigits: 1 })} ${units[step]}`;
}

export const tenantsTrail = [
  { title: 'Settings', href: '/settings' },
  { title: 'Accounts', href: '/settings/tenants' },
];
