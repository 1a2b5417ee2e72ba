import { Button, Code, Grid, Stack, Text } from '@mantine/core';
import { IconDownload, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { urlOf, useOne } from '../../api/index.ts';
import { Facts, Id, Loaded, May, Page, RemoveButton, Section, Time } from '../../parts/index.ts';
import type { Media } from '../../parts/writing/index.ts';
import { Preview } from './preview.tsx';
import { kindNames, saySize } from './size.ts';

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
  const { uuid, name, filename, media_type } = media;
  return (
    <Page
      title={name || filename}
      trail={[{ title: 'Media', href: '/media' }]}
      actions={
        <>
          <RemoveButton
            path="/v2/chatapp/template-media/{uuid}/"
            uuid={uuid}
            what={`“${name || filename}”`}
            text="Queued messages with this file will fail. This cannot be undone."
            back="/media"
          />
          <May>
            <Button
              component={Link}
              href={`/messages/new?type=${media_type}&media=${uuid}`}
              leftSection={<IconSend size={16} />}
            >
              Send
            </Button>
          </May>
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
          <Section title="Details">
            <Stack>
              <Facts
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
