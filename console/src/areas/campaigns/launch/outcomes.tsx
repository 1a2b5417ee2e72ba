import { ColorSwatch, Group, getThemeColor, Stack, Table, Text, useMantineTheme } from '@mantine/core';
import { locale } from '../../../parts/locale.ts';
import { type Log, outcomes } from '../wizard/shares.ts';
import { OutcomeBar } from './outcome-bar.tsx';

const figure = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const reasons: Record<string, string> = {
  deleted: 'contact deleted',
  duplicate: 'reached under another contact',
  invalid: 'the message could not be made',
  window_closed: 'wrote longer than a day ago',
  cancelled: 'the launch was cancelled first',
};

/** The audience by what became of it: a bar, and the figures in words. */
export function Outcomes({ log }: { log: Log }) {
  const theme = useMantineTheme();
  const audience = log.audience ?? 0;
  if (audience === 0)
    return (
      <Text c="dimmed">
        {log.audience === null ? 'The audience is counted when the launch starts.' : 'The lists were empty.'}
      </Text>
    );
  const shown = outcomes.filter(({ name }) => log[name] > 0);
  return (
    <Stack gap="sm">
      <OutcomeBar log={log} size="xl" label="Recipients by status" />
      <Table verticalSpacing={6} aria-label="Recipients by status">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">People</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ name, label, color }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Group gap="xs" wrap="nowrap" align="flex-start">
                  <ColorSwatch size={12} mt={4} color={getThemeColor(color, theme)} aria-hidden />
                  <div>
                    {label}
                    {name === 'held' && ' until quiet hours end'}
                    {name === 'skipped' && <Why log={log} />}
                  </div>
                </Group>
              </Table.Td>
              <Table.Td ta="right">{figure.format(log[name])}</Table.Td>
              <Table.Td ta="right">{percent.format(log[name] / audience)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

const Why = ({ log }: { log: Log }) => (
  <Text size="xs" c="dimmed">
    {Object.entries(log.skipped_by_reason)
      .map(([reason, count]) => `${figure.format(Number(count))} ${reasons[reason] ?? reason}`)
      .join(', ')}
  </Text>
);
