import { IconFileText, IconMovie, IconMusic, IconPhoto } from '@tabler/icons-react';
import { urlOf } from '../../api/index.ts';
import type { Media } from '../../parts/writing/index.ts';
import classes from './media.module.css';

const icons = { VIDEO: IconMovie, AUDIO: IconMusic, DOCUMENT: IconFileText, IMAGE: IconPhoto, STICKER: IconPhoto };

/** A small picture of a file; its kind where it has none. */
export function Thumbnail({ media: { uuid, media_type } }: { media: Media }) {
  const Icon = icons[media_type];
  if (media_type === 'IMAGE' || media_type === 'STICKER')
    return (
      <img
        className={classes['thumbnail']}
        src={urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid })}
        alt=""
        loading="lazy"
      />
    );
  return (
    <span className={classes['thumbnail']}>
      <Icon size={22} stroke={1.5} aria-hidden />
    </span>
  );
}
