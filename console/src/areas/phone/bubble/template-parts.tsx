import {
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconForms,
  IconList,
  IconMapPin,
  IconPhone,
} from '@tabler/icons-react';
import type { Button, Message } from '../types.ts';
import classes from './bubble.module.css';
import { useBubbleActs } from './bubble-acts.ts';
import { Media, type MediaFile, type MediaKind } from './media.tsx';
import { RichText } from './rich-text.tsx';

const mediaKinds: Record<string, MediaKind> = { image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' };

/** What stands above the text of a template: words, a picture, a film or a document. */
export function Header({ header }: { header: Message['header'] }) {
  if (!header) return null;
  const type = String(header['type'] ?? 'text').toLowerCase();
  const kind = mediaKinds[type];
  if (kind) return <Media kind={kind} file={(header[type] ?? {}) as MediaFile} />;
  const place = header['location'] as { name?: string; address?: string } | undefined;
  const text =
    type === 'location' ? [place?.name, place?.address].filter(Boolean).join(', ') : String(header['text'] ?? '');
  return text ? (
    <strong className={classes['header']}>
      <RichText text={text} />
    </strong>
  ) : null;
}

const icons: Record<string, typeof IconList> = {
  url: IconExternalLink,
  phone_number: IconPhone,
  copy_code: IconCopy,
  otp: IconCopy,
  flow: IconForms,
  send_location: IconMapPin,
  quick_reply: IconArrowBackUp,
  reply: IconArrowBackUp,
};

/** The buttons below a message; each says by its icon what it does. */
export function Buttons({ message, buttons }: { message: Message; buttons: Button[] }) {
  const { tap, openList } = useBubbleActs();
  if (buttons.length === 0 && !message.list) return null;
  return (
    <span className={classes['buttons']}>
      {buttons.map((button) => {
        const Icon = icons[button.type.toLowerCase()];
        return (
          <button
            type="button"
            key={`${button.type} ${button.title} ${button.value}`}
            className={classes['button']}
            onClick={() => tap(message, button)}
          >
            {Icon && <Icon size={16} stroke={2} aria-hidden />}
            {button.title || 'Button'}
          </button>
        );
      })}
      {message.list && (
        <button type="button" className={classes['button']} aria-haspopup="dialog" onClick={() => openList(message)}>
          <IconList size={16} stroke={2} aria-hidden />
          {message.list.title || 'Choose'}
        </button>
      )}
    </span>
  );
}

/** The cards of a carousel, side by side. */
export function Cards({ message }: { message: Message }) {
  if (message.cards.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes['cards']} aria-label="Cards" tabIndex={0}>
      {message.cards.map((card) => (
        <div key={JSON.stringify(card)} className={classes['card']}>
          <Header header={card.header} />
          <RichText text={card.text} />
          <Buttons message={{ ...message, list: null }} buttons={card.buttons} />
        </div>
      ))}
    </section>
  );
}
