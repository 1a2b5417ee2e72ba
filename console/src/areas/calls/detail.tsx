import { Alert, Button, Grid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPhonePlus } from '@tabler/icons-react';
import { type Schema, urlOf, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Player } from '../../parts/audio/player.tsx';
import { Loaded, May, Page, Section, Story, useMay, usePhoneFormat } from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { CallFacts } from './facts.tsx';
import { CallBadge } from './result.tsx';
import { storyOf } from './story.tsx';
import { useHangUp } from './use-hang-up.ts';

const StartDialog = lateDialog(async () => (await import('./start-dialog.tsx')).StartDialog);

/** One call: its story, its recording, its record. */
export function CallDetail({ uuid }: { uuid: string }) {
  const say = usePhoneFormat();
  // On a phone the title breaks between the numbers.
  const whole = (number: string) => say(number).replaceAll(' ', '\u00a0');
  const query = useOne('/v2/voice/calls/{uuid}/', { uuid });
  const log = useList('/v2/logs/voice-calls/', { call: uuid, ordering: 'created' });
  const { hangUp, pending } = useHangUp();
  const [opened, { open, close }] = useDisclosure();
  useLiveRefresh(['call.'], ['/v2/voice/calls/{uuid}/', '/v2/logs/voice-calls/']);
  return (
    <Loaded query={query} what="call">
      {(call) => (
        <Page
          title={`${call.from ? whole(call.from) : 'Withheld'} → ${whole(call.to)}`}
          trail={[{ title: 'Calls', href: '/calls' }]}
          aside={<CallBadge call={call} />}
          actions={
            call.status === 'ENDED' ? (
              <May>
                <Button variant="default" leftSection={<IconPhonePlus size={16} />} onClick={open}>
                  {call.direction === 'INBOUND' ? 'Call back' : 'Call again'}
                </Button>
              </May>
            ) : (
              <May>
                <Button color="red.8" loading={pending === uuid} onClick={() => void hangUp(call)}>
                  Hang up
                </Button>
              </May>
            )
          }
        >
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                <Notes notes={call.notes} />
                <Recording call={call} />
                <Section title="Timeline">
                  <Story steps={storyOf(log.rows, say)} loading={log.isLoading} />
                </Section>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Section title="Details">
                <CallFacts call={call} />
              </Section>
            </Grid.Col>
          </Grid>
          <StartDialog
            opened={opened}
            close={close}
            from={call.number}
            to={call.direction === 'INBOUND' ? call.from : call.to}
          />
        </Page>
      )}
    </Loaded>
  );
}

const Notes = ({ notes }: { notes: string[] }) =>
  notes.length === 0 ? null : (
    <Alert color="orange" title="Skipped steps">
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
    </Alert>
  );

function Recording({ call }: { call: Schema<'Call'> }) {
  const mayHear = useMay('recordings:read');
  if (!call.recording_url || !mayHear) return null;
  return (
    <Section
      title={call.voicemail ? 'Voicemail' : 'Recording'}
      description={call.voicemail ? 'What the caller said after the tone.' : 'One channel per speaker.'}
    >
      <Player
        label={call.voicemail ? 'Voicemail' : 'Recording of the call'}
        src={urlOf('/v2/voice/calls/{uuid}/recording/', { uuid: call.uuid })}
        seconds={call.recording_seconds ?? 0}
        filename={`${call.voicemail ? 'voicemail' : 'call'}-${call.uuid}.wav`}
        channels={call.direction === 'INBOUND' ? ['Caller', 'Person called'] : ['Person called', 'Person connected']}
      />
    </Section>
  );
}
