import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconExternalLink, IconFileText } from '@tabler/icons-react';
import { urlOf } from '../../api/index.ts';
import type { Media } from '../../parts/writing/index.ts';
import classes from './media.module.css';

/** The file itself: seen, heard, or opened. */
export function Preview({ media: { uuid, media_type, name, filename } }: { media: Media }) {
  const src = urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid });
  const label = name || filename;
  switch (media_type) {
    case 'IMAGE':
    case 'STICKER':
      return <img className={classes['preview']} src={src} alt={label} />;
    case 'VIDEO':
      // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave none
      return <video className={classes['preview']} src={src} controls preload="metadata" aria-label={label} />;
    case 'AUDIO':
      // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave none
      return <audio style={{ width: '100%' }} src={src} controls preload="metadata" aria-label={label} />;
    default:
      return (
        <Stack align="center" py="lg">
          <ThemeIcon size={72} radius="xl" variant="light">
            <IconFileText size={36} stroke={1.4} />
          </ThemeIcon>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {filename}
          </Text>
          <Button
            component="a"
            href={src}
            target="_blank"
            rel="noreferrer"
            variant="light"
            leftSection={<IconExternalLink size={16} />}
          >
            Open in a new tab
          </Button>
        </Stack>
      );
  }
}
