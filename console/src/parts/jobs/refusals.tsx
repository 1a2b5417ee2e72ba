import { Table, Text } from '@mantine/core';
import { call, type Schema, urlOf } from '../../api/index.ts';
import { saveBlob } from '../actions/save-file.ts';
import { DownloadButton, saveCsv } from '../index.ts';
import { sayRefusal } from './words.ts';

type Refusal = Pick<Schema<'JobError'>, 'index' | 'line' | 'error'>;

/** Everything that was refused, as a file: rows of a file with all their columns, as long as the file is there. */
export function RefusedDownload({ job }: { job: Schema<'JobDetail'> }) {
  const byLine = isByLine(job);
  const save = async () => {
    const name = `refused-${job.id.slice(0, 8)}.csv`;
    const answer = byLine ? await fetch(urlOf('/v3/jobs/{id}/refused-rows/', { id: job.id })).catch(() => null) : null;
    if (answer?.ok) return saveBlob(name, await answer.blob());
    const all = await readAll(job.id);
    const rows = all.map((each) => [placeOf(each, byLine), sayRefusal(each.error)]);
    saveCsv(name, [[byLine ? 'line' : 'item', 'error'], ...rows]);
  };
  return (
    <DownloadButton size="xs" save={save}>
      Download rejected rows
    </DownloadButton>
  );
}

/** What a job refused, by line or item: the first hundred as a table, all of them as a file. */
export function Refusals({ job, count }: { job: Schema<'JobDetail'>; count: number }) {
  if (job.errors.length === 0) return null;
  const byLine = isByLine(job);
  return (
    <div>
      <Table.ScrollContainer minWidth={240} type="native" mah={360} mb="sm" tabIndex={0} style={{ overflowY: 'auto' }}>
        <Table stickyHeader verticalSpacing="xs">
          {count > job.errors.length && (
            <Table.Caption>
              The first {job.errors.length} of {count}.
            </Table.Caption>
          )}
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="5rem">{byLine ? 'Line' : 'Item'}</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {job.errors.map((each) => (
              <Table.Tr key={placeOf(each, byLine)}>
                <Table.Td>{placeOf(each, byLine)}</Table.Td>
                <Table.Td>
                  <Text size="sm">{sayRefusal(each.error)}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <RefusedDownload job={job} />
    </div>
  );
}

const isByLine = (job: Schema<'JobDetail'>): boolean => job.errors.some(({ line }) => line !== undefined);

/** Lines as the file counts them; items from 1, as people count. */
const placeOf = ({ line, index }: Refusal, byLine: boolean): number => (byLine ? (line ?? 0) : (index ?? 0) + 1);

async function readAll(id: string): Promise<Refusal[]> {
  const found: Refusal[] = [];
  let cursor: string | undefined;
  do {
    const query = { ok: 'false', page_size: 200, ...(cursor && { cursor }) };
    const page = await call('get', '/v3/jobs/{id}/results/', { params: { id }, query });
    found.push(...page.results.flatMap((each) => (each.ok ? [] : [each])));
    cursor = page.next ? (new URL(page.next, document.baseURI).searchParams.get('cursor') ?? undefined) : undefined;
  } while (cursor);
  return found;
}
