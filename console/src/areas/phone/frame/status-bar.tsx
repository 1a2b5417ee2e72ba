import { VisuallyHidden } from '@mantine/core';
import { IconAntennaBars5, IconBattery4, IconWifi, IconWifiOff } from '@tabler/icons-react';
import { useConnected } from '../../../live/index.ts';
import { useHere } from '../../../parts/account.tsx';
import { sayClock } from '../moments.ts';
import { useSandboxNow } from './clock.tsx';
import classes from './handset.module.css';

/** The upper edge of the phone: the time in the sandbox, and whether news arrive. */
export function StatusBar({ overCall }: { overCall: boolean }) {
  const { timeZone } = useHere();
  const nowMs = useSandboxNow();
  const connected = useConnected();
  const Net = connected ? IconWifi : IconWifiOff;
  return (
    <div className={classes['status']} data-over-call={overCall || undefined}>
      <time dateTime={new Date(nowMs).toISOString()} title="The time in the sandbox">
        {sayClock(nowMs, timeZone)}
      </time>
      <span className={classes['island']} aria-hidden />
      <span className={classes['signs']}>
        <IconAntennaBars5 size={16} aria-hidden />
        <span title={connected ? 'Live' : 'Not live: looked up every few seconds'}>
          <Net size={16} aria-hidden />
          <VisuallyHidden>{connected ? 'Live' : 'Not live'}</VisuallyHidden>
        </span>
        <IconBattery4 size={18} aria-hidden />
      </span>
    </div>
  );
}
