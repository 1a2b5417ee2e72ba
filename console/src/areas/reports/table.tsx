import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Schema } from '../../api/index.ts';
import { locale } from '../../parts/locale.ts';
import { hrefOf, sayPiece } from '../../parts/range/figures.ts';
import { change, lengthOf } from '../../parts/range/span.ts';
import { sayFigure, sayWord } from '../../parts/words.ts';
import { type Grouping, isTime, sayGrouping } from './words.ts';

type Report = Schema<'Report'>;
type Row = Report['rows'][number];

const share = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 });

interface ReportTableProps {
  report: Report;
  grouping: Grouping;
  timeZone: string;
}

/** The rows of a report. Every figure that is not nought leads to what it was counted from. */
export function ReportTable({ report, grouping, timeZone }: ReportTableProps) {
  const days = lengthOf(report);
  const statuses = report.statuses.filter((name) => (report.total.counts[name] ?? 0) > 0);
  const isCompared = report.compared_with !== null;
  const figure = (value: number, list: Row['list'], status?: string) => (
    <Figure value={value} href={list && hrefOf(list, timeZone, status)} />
  );
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Figures" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{sayGrouping(grouping)}</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
            {isCompared && <Table.Th ta="right">Change</Table.Th>}
            {statuses.map((name) => (
              <Table.Th key={name} ta="right">
                {sayWord(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" fw={500}>
                {isTime(grouping) ? sayPiece(grouping, row.key, days) : row.label}
              </Table.Th>
              <Table.Td ta="right">{figure(row.count, row.list)}</Table.Td>
              {isCompared && <Table.Td ta="right">{sayChange(row.count, row.previous?.count)}</Table.Td>}
              {statuses.map((name) => (
                <Table.Td key={name} ta="right">
                  {figure(row.counts[name] ?? 0, row.list, name)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          {report.rest && report.rest.count > 0 && (
            <Table.Tr>
              <Table.Th scope="row" fw={500} c="dimmed">
                Others
              </Table.Th>
              <Table.Td ta="right">{sayFigure(report.rest.count)}</Table.Td>
              {isCompared && <Table.Td />}
              {statuses.map((name) => (
                <Table.Td key={name} ta="right">
                  {sayFigure(report.rest?.counts[name] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">Total</Table.Th>
            <Table.Th ta="right">{figure(report.total.count, report.total.list)}</Table.Th>
            {isCompared && (
              <Table.Th ta="right">{sayChange(report.total.count, report.total.previous?.count)}</Table.Th>
            )}
            {statuses.map((name) => (
              <Table.Th key={name} ta="right">
                {figure(report.total.counts[name] ?? 0, report.total.list, name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

const Figure = ({ value, href }: { value: number; href: string | null }) =>
  value > 0 && href ? (
    <Anchor component={Link} href={href} size="sm">
      {sayFigure(value)}
    </Anchor>
  ) : (
    <Text span size="sm" c={value > 0 ? undefined : 'dimmed'}>
      {sayFigure(value)}
    </Text>
  );

const sayChange = (now: number, then: number | undefined): string => {
  const delta = change(now, then);
  return delta === undefined ? '–' : share.format(delta);
};
