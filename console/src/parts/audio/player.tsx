import { ActionIcon, Anchor, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Problem } from '../index.ts';
import classes from './player.module.css';
import { sayLength, useObjectUrl, useSound } from './sound.ts';
import { usePlayback } from './use-playback.ts';
import { Waveform } from './waveform.tsx';

interface PlayerProps {
  /** Of `urlOf`. */
  src: string;
  /** What it is, for screen readers: `Recording`. */
  label: string;
  /** How long it is, until the browser knows. */
  seconds?: number | undefined;
  /** The file name that a download gets. */
  filename?: string;
  /** Who is in which channel. */
  channels?: string[];
}

/** A player with the loudness over time, for a page of its own. */
export function Player({ src, label, seconds, filename, channels = [] }: PlayerProps) {
  const file = useSound(src, true);
  const url = useObjectUrl(file.data);
  const playback = usePlayback(url, seconds);
  const { duration, rate, setRate, seek } = playback;
  if (file.error) return <Problem error={file.error} retry={() => void file.refetch()} />;
  const played = duration ? playback.seconds / duration : 0;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {file.data && (
        <Waveform file={file.data} channels={channels} played={played} seek={(share) => seek(share * duration)} />
      )}
      <Group gap="sm" wrap="nowrap">
        <PlayButton playing={playback.playing} toggle={playback.toggle} label={label} loading={!url} />
        <Seek label={label} {...playback} />
        <Text size="sm" className={classes['time']}>
          {sayLength(playback.seconds)} / {sayLength(duration)}
        </Text>
      </Group>
      <Group gap="md" justify="flex-end">
        <NativeSelect
          size="xs"
          aria-label="Speed"
          value={String(rate)}
          onChange={(event) => setRate(Number(event.currentTarget.value))}
          data={['0.75', '1', '1.25', '1.5', '2'].map((value) => ({ value, label: `${value} ×` }))}
        />
        {url && (
          <Anchor href={url} download={filename ?? true} size="sm">
            <Group gap={4} component="span">
              <IconDownload size={16} aria-hidden /> Download
            </Group>
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

/** A button that plays, and how long it is: for lists and forms. The file comes when it is first asked for. */
export function MiniPlayer({ src, label, seconds }: Omit<PlayerProps, 'filename' | 'channels'>) {
  const [wanted, setWanted] = useState(false);
  const file = useSound(src, wanted);
  const url = useObjectUrl(wanted ? file.data : undefined);
  const { playing, seconds: at, duration, toggle } = usePlayback(url, seconds);
  // The first press loads it, and it plays as soon as it is here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    if (url) toggle();
  }, [url]);
  return (
    <Group gap="xs" wrap="nowrap">
      <PlayButton
        playing={playing}
        toggle={url ? toggle : () => setWanted(true)}
        label={label}
        loading={wanted && file.isPending}
      />
      <Text
        size="sm"
        c={file.error ? 'var(--mantine-color-error)' : 'dimmed'}
        component="span"
        className={classes['time']}
      >
        {file.error ? 'Cannot be played' : playing ? `${sayLength(at)} / ${sayLength(duration)}` : sayLength(duration)}
      </Text>
    </Group>
  );
}

interface PlayButtonProps {
  playing: boolean;
  toggle(): void;
  label: string;
  loading: boolean;
}

const PlayButton = ({ playing, toggle, label, loading }: PlayButtonProps) => (
  <ActionIcon
    variant="light"
    radius="xl"
    size="lg"
    loading={loading}
    onClick={toggle}
    aria-label={playing ? `Pause: ${label}` : `Play: ${label}`}
  >
    {playing ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
  </ActionIcon>
);

interface SeekProps {
  label: string;
  seconds: number;
  duration: number;
  seek(seconds: number): void;
}

const Seek = ({ label, seconds, duration, seek }: SeekProps) => (
  <input
    type="range"
    className={classes['range']}
    aria-label={`Position in: ${label}`}
    aria-valuetext={`${sayLength(seconds)} of ${sayLength(duration)}`}
    min={0}
    max={Math.max(duration, 0.1)}
    step={0.1}
    value={seconds}
    onChange={(event) => seek(Number(event.currentTarget.value))}
    onKeyDown={(event) => {
      // A tenth of a second is a long way to walk.
      const move = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5 }[event.key];
      if (move === undefined) return;
      event.preventDefault();
      seek(Math.min(duration, Math.max(0, seconds + move)));
    }}
  />
);
