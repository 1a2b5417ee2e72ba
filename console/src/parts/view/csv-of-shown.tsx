import type { List } from '../../api/hooks.ts';
import { notifications } from '../../api/notifications.ts';
import { DownloadButton } from '../actions/download-button.tsx';
import { saveCsv } from '../actions/save-file.ts';
import { sayFigure } from '../words.ts';
import type { Column } from './column.ts';

/** More rows than these are for the exports of the API. */
const mostRows = 10_000;

interface CsvOfShownProps<R> {
  label: string;
  list: List<R>;
  columns: Column<R>[];
}

/** What the list shows, as a file: the chosen columns, and all rows that match the filters. */
export function CsvOfShown<R>({ label, list, columns }: CsvOfShownProps<R>) {
  const { readAll } = list;
  const written = columns.filter(({ csv }) => csv);
  if (!readAll || written.length === 0) return null;
  const save = async (): Promise<void> => {
    const { rows, isWhole } = await readAll(mostRows);
    const lines = rows.map((row) => written.map(({ csv }) => csv!(row) ?? ''));
    saveCsv(`${label.toLowerCase().replaceAll(' ', '-')}.csv`, [written.map(({ title }) => title), ...lines]);
    if (!isWhole)
      notifications.show({
        color: 'yellow',
        message: `The file has the first ${sayFigure(mostRows)} rows. Set filters, or export by the API, for more.`,
      });
  };
  return (
    <DownloadButton save={save} size="xs" disabled={list.rows.length === 0}>
      Download as CSV
    </DownloadButton>
  );
}
