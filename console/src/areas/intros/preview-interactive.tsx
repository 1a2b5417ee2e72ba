import { IconExternalLink, IconForms, IconList, IconMapPin } from '@tabler/icons-react';
import { Tap, Words } from './bubble.tsx';
import classes from './chat.module.css';
import { Filled } from './filled.tsx';
import type { InteractiveForm } from './interactive-form.ts';
import { Picture } from './picture.tsx';

/** An interactive message as the phone shows it. */
export function InteractiveBubble({ value }: { value: InteractiveForm }) {
  const { type, header, body, footer, action } = value;
  const { parameters } = action;
  const isText = type === 'list' || type === 'flow';
  const file = header.type !== 'none' && header.type !== 'text' && !isText ? header.type : undefined;
  const plain = type === 'location_request_message';
  return (
    <>
      {file && !plain && <Picture kind={file} uuid={header.media_uuid} url={header.url} />}
      <Words
        header={header.type === 'text' && header.text && !plain && <Filled text={header.text} />}
        footer={footer.text && !plain && <Filled text={footer.text} />}
      >
        <Filled text={body.text || ' '} />
      </Words>
      {type === 'button' &&
        action.buttons.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons have nothing else to be told by
          <Tap key={index}>{title ? <Filled text={title} /> : `Button ${index + 1}`}</Tap>
        ))}
      {type === 'cta_url' && (
        <Tap icon={<IconExternalLink size={15} aria-hidden />}>
          <Filled text={parameters.display_text || 'Open'} />
        </Tap>
      )}
      {type === 'flow' && (
        <Tap icon={<IconForms size={15} aria-hidden />}>
          <Filled text={parameters.flow_cta || 'Begin'} />
        </Tap>
      )}
      {plain && <Tap icon={<IconMapPin size={15} aria-hidden />}>Send location</Tap>}
      {type === 'list' && (
        <>
          <Tap icon={<IconList size={15} aria-hidden />}>
            <Filled text={action.button || 'Choose'} />
          </Tap>
          <ul className={classes['rows']}>
            {action.sections.flatMap((section, index) =>
              section.rows.map((row, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
                <li key={`${index} ${position}`}>
                  {position === 0 && section.title && <strong>{<Filled text={section.title} />}: </strong>}
                  <Filled text={row.title || `Row ${position + 1}`} />
                </li>
              )),
            )}
          </ul>
        </>
      )}
    </>
  );
}
