import { Alert, Anchor, List, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { urlOf, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Player } from '../../parts/audio/player.tsx';
import { sayLength } from '../../parts/audio/sound.ts';
import { Facts, Id, Loaded, Page, Phone, RemoveButton, Section, Time } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';

const size = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

/** One audio file: what it sounds like, and who plays it. */
export function AudioDetail({ uuid }: { uuid: string }) {
  const [format, setFormat] = useState<'wav' | 'mp3'>('wav');
  const query = useOne('/v2/audio-files/{uuid}/', { uuid });
  useLiveRefresh(['audio_file.', 'number.'], ['/v2/audio-files/']);
  return (
    <Loaded query={query} what="audio file">
      {(file) => (
        <Page
          title={file.name}
          trail={[{ title: 'Audio', href: '/audio' }]}
          actions={
            <RemoveButton
              path="/v2/audio-files/{uuid}/"
              uuid={uuid}
              what={`“${file.name}”`}
              text="This cannot be undone."
              back="/audio"
              disabled={file.in_use_by.length > 0}
            />
          }
        >
          <Stack>
            <Section
              title="Listen"
              actions={
                <SegmentedControl
                  size="xs"
                  aria-label="Version"
                  value={format}
                  onChange={(value) => setFormat(value as 'wav' | 'mp3')}
                  data={[
                    { value: 'wav', label: 'As callers hear it' },
                    { value: 'mp3', label: 'As uploaded' },
                  ]}
                />
              }
            >
              <Player
                key={format}
                label={file.name}
                seconds={file.duration_seconds}
                filename={format === 'wav' ? `${file.name}.wav` : file.filename}
                src={urlOf('/v2/audio-files/{uuid}/content/', { uuid }, { format })}
                channels={['Left', 'Right']}
              />
            </Section>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Section title="File">
                <Facts
                  rows={[
                    ['File name', file.filename],
                    ['Length', sayLength(file.duration_seconds)],
                    ['Size', size.format(Math.ceil(file.size / 1000))],
                    ['Uploaded', <Time key="created" at={file.created} exact />],
                    ['Id', <Id key="id" id={file.uuid} />],
                  ]}
                />
              </Section>
              <Section title="Used by">
                <UsedBy places={file.in_use_by} />
              </Section>
            </SimpleGrid>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function UsedBy({ places }: { places: string[] }) {
  if (places.length === 0) return <Text size="sm">Not in use. You can delete it.</Text>;
  return (
    <>
      <List size="sm" spacing={4}>
        {places.map((place) => (
          <List.Item key={place}>
            {place.startsWith('+') ? (
              <Anchor component={Link} href={`/numbers/${place}`}>
                <Phone number={place} copy={false} />
              </Anchor>
            ) : (
              <RoutingName uuid={place} />
            )}
          </List.Item>
        ))}
      </List>
      <Alert mt="md" color="gray">
        A file in use cannot be deleted.
      </Alert>
    </>
  );
}

function RoutingName({ uuid }: { uuid: string }) {
  const { data } = useOne('/v2/routing-configs/{uuid}/', { uuid });
  return (
    <Anchor component={Link} href={`/routing/${uuid}`}>
      Routing: {data?.name ?? uuid}
    </Anchor>
  );
}
