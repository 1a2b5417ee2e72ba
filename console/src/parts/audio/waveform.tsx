import { Skeleton, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import classes from './player.module.css';
import { type Peaks, peaksOf } from './sound.ts';

interface WaveformProps {
  file: Blob;
  /** How much has been played, 0 to 1. */
  played: number;
  seek(share: number): void;
  /** Who is in which channel. */
  channels: string[];
}

const slices = 600;
const rowHeight = 56;

/** The loudness of a sound over time, a row for each channel. A click seeks; the slider below does it for keyboards. */
export function Waveform({ file, played, seek, channels }: WaveformProps) {
  const [peaks, setPeaks] = useState<Peaks | null>();
  useEffect(() => {
    let gone = false;
    void peaksOf(file, slices).then((found) => !gone && setPeaks(found ?? null));
    return () => {
      gone = true;
    };
  }, [file]);
  if (peaks === undefined) return <Skeleton h={rowHeight * 2} />;
  if (peaks === null) return null;
  const silent = peaks.every((channel) => channel.every((one) => one < 0.01));
  return (
    <div>
      {peaks.map((channel, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: channels have no other name, and never move
        <div key={index} className={classes['channel']}>
          {peaks.length > 1 && (
            <Text size="xs" c="dimmed" className={classes['who']}>
              {channels[index] ?? `Channel ${index + 1}`}
            </Text>
          )}
          <Row peaks={channel} played={played} seek={seek} />
        </div>
      ))}
      {silent && (
        <Text size="sm" c="dimmed">
          There is no sound in it.
        </Text>
      )}
    </div>
  );
}

function Row({ peaks, played, seek }: { peaks: number[]; played: number; seek(share: number): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { ref, width } = useElementSize();
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, peaks, played, width);
  }, [peaks, played, width]);
  const click = (event: MouseEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  return (
    <div ref={ref} className={classes['row']}>
      <canvas ref={canvas} className={classes['canvas']} aria-hidden onClick={click} />
    </div>
  );
}

const [bar, gap] = [2, 1];

function draw(canvas: HTMLCanvasElement, peaks: number[], played: number, width: number): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = rowHeight * scale;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const [done, rest] = [style.getPropertyValue('--played'), style.getPropertyValue('--rest')];
  const bars = Math.floor(width / (bar + gap));
  for (let index = 0; index < bars; index++) {
    const from = Math.floor((index / bars) * peaks.length);
    const to = Math.max(from + 1, Math.floor(((index + 1) / bars) * peaks.length));
    const height = Math.max(2, Math.max(...peaks.slice(from, to)) * (rowHeight - 6));
    pen.fillStyle = index / bars < played ? done : rest;
    pen.fillRect(index * (bar + gap), (rowHeight - height) / 2, bar, height);
  }
}
