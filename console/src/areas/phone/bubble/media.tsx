import { Text } from '@mantine/core';
import { IconExternalLink, IconFileText, IconMusic, IconPhoto, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { serverUrl } from '../../../api/index.ts';
import classes from './media.module.css';

export type MediaKind = 'IMAGE' | 'VIDEO' | 'AUDIO' | 'DOCUMENT' | 'STICKER';

export interface MediaFile {
  url?: string;
  filename?: string;
}

const icons = { IMAGE: IconPhoto, STICKER: IconPhoto, VIDEO: IconVideo, AUDIO: IconMusic, DOCUMENT: IconFileText };
const names = { IMAGE: 'Photo', STICKER: 'Sticker', VIDEO: 'Video', AUDIO: 'Voice message', DOCUMENT: 'Document' };

/** Where this page may load a file from; nothing for files of other servers, which it asks nothing of. */
function loadable(url: string): string | undefined {
  if (url.startsWith('/')) return `${serverUrl}${url}`;
  if (url.startsWith('data:image/')) return url;
  return URL.parse(url)?.origin === new URL(serverUrl).origin ? url : undefined;
}

/** A picture, film, voice message, document or sticker. */
export function Media({ kind, file, caption = '' }: { kind: MediaKind; file: MediaFile; caption?: string }) {
  const { url = '', filename } = file;
  const [failed, setFailed] = useState(false);
  const source = failed ? undefined : loadable(url);
  const onError = () => setFailed(true);
  const label = caption || filename || names[kind];
  if (source && (kind === 'IMAGE' || kind === 'STICKER'))
    return (
      <img
        className={classes[kind === 'IMAGE' ? 'image' : 'sticker']}
        src={source}
        alt={label}
        loading="lazy"
        onError={onError}
      />
    );
  if (source && kind === 'VIDEO')
    return (
      // biome-ignore lint/a11y/useMediaCaption: whoever sent it gave none
      <video
        className={classes['video']}
        src={source}
        controls
        preload="metadata"
        aria-label={label}
        onError={onError}
      />
    );
  if (source && kind === 'AUDIO')
    return (
      // biome-ignore lint/a11y/useMediaCaption: whoever sent it gave none
      <audio
        className={classes['audio']}
        src={source}
        controls
        preload="metadata"
        aria-label={label}
        onError={onError}
      />
    );
  return <FileCard kind={kind} url={source ?? url} filename={filename} failed={failed} />;
}

/** A document, or a file that this page cannot show. */
function FileCard({
  kind,
  url,
  filename,
  failed,
}: {
  kind: MediaKind;
  url: string;
  filename?: string | undefined;
  failed: boolean;
}) {
  const Icon = icons[kind];
  const host = URL.parse(url)?.host;
  const place = host && host !== location.host ? host : 'Open';
  const big = kind === 'IMAGE' || kind === 'VIDEO' || kind === 'STICKER';
  const card = (
    <>
      <span className={classes['fileIcon']}>
        <Icon size={big ? 32 : 24} stroke={1.5} aria-hidden />
      </span>
      <span className={classes['fileWords']}>
        <Text component="span" size="sm" fw={500} truncate>
          {filename || names[kind]}
        </Text>
        <Text component="span" size="xs" c="dimmed" truncate>
          {failed ? 'It could not be loaded.' : url ? place : 'Kept by the platform.'}
        </Text>
      </span>
    </>
  );
  if (!/^https?:/.test(url))
    return (
      <span className={classes['file']} data-big={big}>
        {card}
      </span>
    );
  return (
    <a className={classes['file']} data-big={big} href={url} target="_blank" rel="noreferrer">
      {card}
      <IconExternalLink size={16} aria-hidden />
    </a>
  );
}
