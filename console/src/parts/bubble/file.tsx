import { IconFileText, IconMovie, IconMusic, IconPhoto, IconSticker } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './bubble.module.css';
import { RichText } from './rich-text.tsx';
import type { FileView } from './view.ts';

const icons = {
  image: IconPhoto,
  video: IconMovie,
  audio: IconMusic,
  document: IconFileText,
  sticker: IconSticker,
} as const;
const names = { image: 'Picture', video: 'Video', audio: 'Recording', document: 'Document', sticker: 'Sticker' };

/** A picture, video, recording or document in a bubble. What is on other servers is named and can be opened. */
export function File({ file, caption = '' }: { file: FileView; caption?: string }) {
  const { kind, src } = file;
  const [failed, setFailed] = useState('');
  const label = caption || file.name || names[kind];
  if (!src || failed === src) return <Named file={file} failed={failed !== ''} />;
  const onError = () => setFailed(src);
  if (kind === 'image' || kind === 'sticker')
    return (
      <a href={src} target="_blank" rel="noreferrer" className={classes['pictureLink']}>
        <img className={classes[kind]} src={src} alt={label} loading="lazy" onError={onError} />
      </a>
    );
  if (kind === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: whoever sent it gave none
      <video className={classes['image']} src={src} controls preload="metadata" aria-label={label} onError={onError} />
    );
  if (kind === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: whoever sent it gave none
      <audio className={classes['audio']} src={src} controls preload="none" aria-label={label} onError={onError} />
    );
  return <Named file={file} failed={false} />;
}

function Named({ file: { kind, name, src, elsewhere }, failed }: { file: FileView; failed: boolean }) {
  const Icon = icons[kind];
  const url = failed ? undefined : (src ?? elsewhere);
  const host = elsewhere && (URL.parse(elsewhere)?.host ?? elsewhere);
  const note = failed ? 'It cannot be shown.' : src ? 'Open it' : host ? `On ${host}` : 'No file yet';
  const words = (
    <>
      <Icon size={26} stroke={1.4} aria-hidden />
      <span className={classes['fileWords']}>
        <span>{name || names[kind]}</span>
        <small>
          <RichText text={note} plain />
        </small>
      </span>
    </>
  );
  if (!url || !/^https?:[^{}]+$/.test(url)) return <div className={classes['file']}>{words}</div>;
  return (
    <a className={classes['file']} href={url} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}
