import {
  type Icon,
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconForms,
  IconList,
  IconMapPin,
  IconPhone,
  IconUser,
} from '@tabler/icons-react';
import classes from './bubble.module.css';
import { File } from './file.tsx';
import { RichText } from './rich-text.tsx';
import type { Tap, View } from './view.ts';

const tapIcons: Record<Tap['kind'], Icon> = {
  reply: IconArrowBackUp,
  url: IconExternalLink,
  phone: IconPhone,
  code: IconCopy,
  flow: IconForms,
  location: IconMapPin,
  list: IconList,
};

/** What is inside a bubble. */
export function Content({ view }: { view: View }) {
  const { note, title, file, text, plain, footer, place, people = [], answers = [], reaction } = view;
  const hasWords = [note, title, text, footer, reaction].some(Boolean) || answers.length > 0;
  return (
    <>
      {file && <File file={file} caption={text ?? ''} />}
      {place && <Place place={place} />}
      {people.map(({ name, lines }) => (
        <div key={name} className={classes['card']}>
          <IconUser size={24} stroke={1.4} aria-hidden />
          <span className={classes['fileWords']}>
            <span>{name || 'No name yet'}</span>
            {lines.map((line) => (
              <small key={line}>{line}</small>
            ))}
          </span>
        </div>
      ))}
      {hasWords && (
        <div className={classes['words']}>
          {note && <div className={classes['note']}>{note}</div>}
          {title && (
            <div className={classes['title']}>
              <RichText text={title} />
            </div>
          )}
          {text && <RichText text={text} plain={plain} />}
          {reaction && <Reaction emoji={reaction.emoji} />}
          {answers.length > 0 && (
            <dl className={classes['answers']}>
              {answers.map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {footer && (
            <div className={classes['footer']}>
              <RichText text={footer} />
            </div>
          )}
        </div>
      )}
      <Taps view={view} />
      <Cards cards={view.cards ?? []} />
    </>
  );
}

const Reaction = ({ emoji }: { emoji: string }) =>
  emoji ? <span className={classes['emoji']}>{emoji}</span> : <em>Took a reaction back</em>;

const Place = ({ place: { name, address, latitude, longitude } }: { place: NonNullable<View['place']> }) => (
  <div className={classes['card']}>
    <IconMapPin size={24} stroke={1.4} aria-hidden />
    <span className={classes['fileWords']}>
      <span>{name || 'A place'}</span>
      {address && <small>{address}</small>}
      <small>
        {latitude}, {longitude}
      </small>
    </span>
  </div>
);

function Taps({ view: { taps = [], list = [] } }: { view: View }) {
  return (
    <>
      {taps.map(({ kind, text, to }, index) => {
        const Icon = tapIcons[kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons may be alike while they are written
          <div key={index} className={classes['tap']} title={to || undefined}>
            <Icon size={15} aria-hidden />
            <span>{text ? <RichText text={text} plain /> : 'No words yet'}</span>
          </div>
        );
      })}
      {list.length > 0 && (
        <ul className={classes['rows']} aria-label="Rows of the list">
          {list.flatMap(({ title, rows }, section) =>
            rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows may be alike while they are written
              <li key={`${section} ${index}`}>
                {index === 0 && title && (
                  <strong>
                    <RichText text={title} plain />
                  </strong>
                )}
                <span>{row.title ? <RichText text={row.title} plain /> : 'No words yet'}</span>
                {row.description && (
                  <small>
                    <RichText text={row.description} plain />
                  </small>
                )}
              </li>
            )),
          )}
        </ul>
      )}
    </>
  );
}

function Cards({ cards }: { cards: View[] }) {
  if (cards.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes['cards']} aria-label="Cards" tabIndex={0}>
      {cards.map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards are told by their place
        <div key={index} className={classes['page']}>
          <Content view={card} />
        </div>
      ))}
    </section>
  );
}
