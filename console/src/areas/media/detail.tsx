import { Button, Code, Grid, Stack, Text } from '@mantine/core';
import { IconDownload, IconSend } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { urlOf, useAct, useOne } from '../../api/index.ts';
import { confirm, Loaded, Page, Section, Time } from '../../parts/index.ts';
import { FactTable } from '../messages/fact-table.tsx';
import { Id } from '../messages/facts.tsx';
import { Preview } from './preview.tsx';
import { kindNames, saySize } from './size.ts';
import type { Media } from './upload.ts';

/** One file. */
export function MediaDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/template-media/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="file">
      {(media) => <Shown media={media} />}
    </Loaded>
  );
}

function Shown({ media }: { media: Media }) {
  const [, navigate] = useLocation();
  const { uuid, name, filename, media_type } = media;
  const remove = useAct('delete', '/v2/chatapp/template-media/{uuid}/', {
    invalidates: ['/v2/chatapp/template-media/'],
    done: 'Deleted.',
    onDone: () => navigate('/media'),
  });
  const ask = async () => {
    const text = 'A message that still waits to be sent with it will fail. This cannot be undone.';
    if (await confirm({ title: `Delete “${name || filename}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  return (
    <Page
      title={name || filename}
      trail={[{ title: 'Media', href: '/media' }]}
      actions={
        <>
          <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
            Delete
          </Button>
          <Button
            component={Link}
            href={`/messages/new?type=${media_type}&media=${uuid}`}
            leftSection={<IconSend size={16} />}
          >
            Send it
          </Button>
        </>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Preview">
            <Preview media={media} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="Facts">
            <Stack>
              <FactTable
                rows={[
                  ['Type', kindNames[media_type] ?? media_type],
                  ['Format', media.mime_type],
                  ['Size', saySize(media.size)],
                  ['File name', filename],
                  ['Uploaded', <Time key="at" at={media.created} exact />],
                  ['Id', <Id key="id" id={uuid} />],
                  ['SHA-256', <Id key="hash" id={media.sha256} what="the hash" />],
                ]}
              />
              <Text size="sm" c="dimmed">
                Name it in a message as <Code>media_uuid</Code>.
              </Text>
              <div>
                <Button
                  component="a"
                  href={urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid })}
                  download={filename}
                  variant="default"
                  leftSection={<IconDownload size={16} />}
                >
                  Download
                </Button>
              </div>
            </Stack>
          </Section>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
