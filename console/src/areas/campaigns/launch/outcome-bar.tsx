import { Progress } from '@mantine/core';
import { type Log, outcomes } from '../wizard/shares.ts';

/** The audience as one bar, by what became of it. The words stand beside it. */
export function OutcomeBar({ log, size = 'md', label }: { log: Log; size?: string; label: string }) {
  const audience = log.audience ?? 0;
  const said = outcomes.filter(({ name }) => log[name] > 0).map((each) => `${each.label} ${log[each.name]}`);
  return (
    <div role="img" aria-label={`${label}: ${said.join(', ') || 'nothing yet'}`}>
      <Progress.Root size={size} aria-hidden>
        {audience > 0 &&
          outcomes
            .filter(({ name }) => log[name] > 0 && name !== 'queued')
            .map(({ name, color }) => (
              <Progress.Section key={name} value={(log[name] / audience) * 100} color={color} withAria={false} />
            ))}
      </Progress.Root>
    </div>
  );
}
