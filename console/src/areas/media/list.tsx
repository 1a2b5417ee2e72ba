import { Button, FileButton, VisuallyHidden } from '@mantine/core';
import { IconPhoto, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, May, Page, Time, TwoLines, useFilters, useMayChange } from '../../parts/index.ts';
import { acceptAll, type Media, useUploads } from '../../parts/writing/index.ts';
import classes from './media.module.css';
import { kindNames, saySize } from './size.ts';
import { Thumbnail } from './thumbnail.tsx';
import { UploadList } from './upload-list.tsx';

const columns: Column<Media>[] = [
  {
    title: 'Preview',
    width: '5rem',
    important: true,
    render: (row) => (
      <>
        <Thumbnail media={row} />
        <VisuallyHidden>{row.name}</VisuallyHidden>
      </>
    ),
  },
  {
    title: 'Name',
    important: true,
    width: 'minmax(12rem, 2fr)',
    render: (row) => <TwoLines first={row.name} second={row.filename} />,
  },
  { title: 'Type', width: '8rem', render: (row) => kindNames[row.media_type] ?? row.media_type },
  { title: 'Format', render: (row) => row.mime_type },
  { title: 'Size', width: '7rem', align: 'right', important: true, render: (row) => saySize(row.size) },
  { title: 'Uploaded', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

/** Pictures, videos, recordings and documents for messages and templates. */
export function MediaList() {
  const filters = useFilters([{ kind: 'dates' }]);
  const list = useList('/v2/chatapp/template-media/', filters.query as never);
  useLiveRefresh(['media.'], ['/v2/chatapp/template-media/']);
  const { uploads, add, remove } = useUploads();
  const may = useMayChange();
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (may) void add([...event.dataTransfer.files]);
  };
  const button = (
    <May>
      <FileButton multiple accept={acceptAll} onChange={(files) => void add(files)}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={16} />}>
            Upload files
          </Button>
        )}
      </FileButton>
    </May>
  );
  return (
    <Page
      title="Media"
      description="Images, videos, audio and documents for messages and templates. Drop files on the list to upload."
      actions={button}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same */}
      <div
        className={classes['drop']}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Listing
          one="file"
          label="Media"
          list={list}
          columns={columns}
          filters={filters}
          rowHeight={64}
          href={(row) => `/media/${row.uuid}`}
          icon={IconPhoto}
          none="No media yet."
          hint="Upload a JPEG, PNG, MP4, MP3 or PDF to use it in messages and templates."
          action={button}
        >
          <UploadList uploads={uploads} remove={remove} />
        </Listing>
      </div>
    </Page>
  );
}
