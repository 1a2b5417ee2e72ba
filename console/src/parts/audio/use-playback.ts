import { useEffect, useRef, useState } from 'react';

export interface Playback {
  playing: boolean;
  seconds: number;
  duration: number;
  rate: number;
  toggle(): void;
  seek(seconds: number): void;
  setRate(rate: number): void;
}

let current: HTMLAudioElement | null = null;

/** Plays one file. Starting one stops whichever plays. `known` is how long it is, until the browser knows. */
export function usePlayback(url: string | undefined, known = 0): Playback {
  const element = useRef<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [duration, setDuration] = useState(known);
  const [rate, setRate] = useState(1);
  useEffect(() => {
    if (!url) return;
    const audio = new Audio(url);
    element.current = audio;
    const say = () => setSeconds(audio.currentTime);
    const heard: Record<string, () => void> = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      ended: () => setPlaying(false),
      timeupdate: say,
      seeked: say,
      loadedmetadata: () => Number.isFinite(audio.duration) && setDuration(audio.duration),
    };
    for (const [name, act] of Object.entries(heard)) audio.addEventListener(name, act);
    return () => {
      for (const [name, act] of Object.entries(heard)) audio.removeEventListener(name, act);
      audio.pause();
      if (current === audio) current = null;
      element.current = null;
      setPlaying(false);
      setSeconds(0);
    };
  }, [url]);
  return {
    playing,
    seconds,
    duration,
    rate,
    toggle: () => {
      const audio = element.current;
      if (!audio) return;
      if (!audio.paused) return audio.pause();
      if (current && current !== audio) current.pause();
      current = audio;
      void audio.play().catch(() => setPlaying(false));
    },
    seek: (to) => {
      if (element.current) element.current.currentTime = to;
      setSeconds(to);
    },
    setRate: (to) => {
      if (element.current) element.current.playbackRate = to;
      setRate(to);
    },
  };
}
