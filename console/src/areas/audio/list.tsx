import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMicrophone, IconUpload } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { type Row, urlOf, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { MiniPlayer } from '../../parts/audio/player.tsx';
import { type Column, Listing, May, Page, Time, useFilters } from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';

const UploadDialog = lateDialog(async () => (await import('../../parts/audio/upload-dialog.tsx')).UploadDialog);

type Item = Row<'/v2/audio-files/'>;

const columns: Column<Item>[] = [
  { title: 'Name', important: true, width: 'minmax(10rem, 2fr)', render: (row) => row.name },
  {
    title: 'Listen',
    important: true,
    width: '9rem',
    render: (row) => (
      <MiniPlayer
        label={row.name}
        seconds={row.duration_seconds}
        src={urlOf('/v2/audio-files/{uuid}/content/', { uuid: row.uuid }, { format: 'wav' })}
      />
    ),
  },
  { title: 'File', width: 'minmax(8rem, 1fr)', render: (row) => row.filename },
  {
    title: 'Used by',
    width: '9rem',
    render: (row) =>
      row.in_use_by.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing
        </Text>
      ) : (
        `${row.in_use_by.length === 20 ? '20 or more' : row.in_use_by.length} ${row.in_use_by.length === 1 ? 'place' : 'places'}`
      ),
  },
  { title: 'Uploaded', width: '9rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

/** All audio files, to listen to and to add to. */
export function AudioList() {
  const [, navigate] = useLocation();
  const [opened, { open, close }] = useDisclosure();
  const filters = useFilters([{ kind: 'dates', label: 'Uploaded' }]);
  const list = useList('/v2/audio-files/', filters.query);
  useLiveRefresh(['audio_file.', 'number.'], ['/v2/audio-files/']);
  const upload = (
    <May>
      <Button leftSection={<IconUpload size={16} />} onClick={open}>
        Upload audio
      </Button>
    </May>
  );
  return (
    <Page title="Audio" description="Greetings, notices and menus for callers." actions={upload}>
      <Listing
        one="audio file"
        label="Audio files"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={56}
        href={(row) => `/audio/${row.uuid}`}
        icon={IconMicrophone}
        hint="Upload an MP3 to use in numbers and routes: a greeting, a recording notice, a menu."
        action={upload}
      />
      <UploadDialog opened={opened} close={close} onDone={(file) => navigate(`/audio/${file.uuid}`)} />
    </Page>
  );
}
