import { IconFileText, IconMovie, IconPhoto } from '@tabler/icons-react';
import { serverUrl, urlOf } from '../../api/index.ts';
import classes from './chat.module.css';
import { Filled } from './filled.tsx';

const icons = { image: IconPhoto, video: IconMovie, document: IconFileText };

interface PictureProps {
  kind: 'image' | 'video' | 'document';
  uuid?: string;
  /** Shown as words: the console fetches nothing from elsewhere. */
  url?: string;
}

/** A file in a bubble: a picture that was uploaded here is shown, others are named. */
export function Picture({ kind, uuid, url = '' }: PictureProps) {
  const Icon = icons[kind];
  const own = url.startsWith(`${serverUrl}/`) && !url.includes('{{') ? url : undefined;
  const src = uuid ? urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid }) : own;
  if (src && kind === 'image') return <img className={classes['picture']} src={src} alt="" />;
  return (
    <div className={classes['file']}>
      <Icon size={28} stroke={1.4} aria-hidden />
      <span>{uuid ? `Uploaded ${kind}` : url ? <Filled text={url} /> : `No ${kind} yet`}</span>
    </div>
  );
}
