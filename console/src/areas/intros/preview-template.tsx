import { IconCopy, IconExternalLink, IconForms, IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Tap, Words } from './bubble.tsx';
import { piecesOf } from './fill.ts';
import { Filled } from './filled.tsx';
import { Picture } from './picture.tsx';
import type { Definition, TemplateForm } from './template-form.ts';

type Fields = Record<string, unknown>;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A template's text, its gaps replaced by what goes into them. */
function Gaps({ text, gaps }: { text: string; gaps: { text: string; parameter_name: string }[] }) {
  const filled = piecesOf(text).map((piece) => {
    if ('text' in piece) return piece.text;
    const gap = gaps.find((one) => one.parameter_name === piece.name) ?? gaps[Number(piece.name) - 1];
    return gap?.text || `{{gap ${piece.name}}}`;
  });
  return <Filled text={filled.join('')} />;
}

const icons: Record<string, ReactNode> = {
  URL: <IconExternalLink size={15} aria-hidden />,
  PHONE_NUMBER: <IconPhone size={15} aria-hidden />,
  FLOW: <IconForms size={15} aria-hidden />,
  COPY_CODE: <IconCopy size={15} aria-hidden />,
};

/** A template message as the phone shows it; of one whose words are not known, its name and what fills it. */
export function TemplateBubble({ value, definition }: { value: TemplateForm; definition: Definition | undefined }) {
  const { header, body, buttons } = value;
  const file = header.kind !== 'none' && header.kind !== 'text' ? header.kind : undefined;
  const parts = (definition?.components ?? []) as Fields[];
  const part = (type: string) => parts.find((one) => textOf(one['type']).toUpperCase() === type);
  const picture = file && <Picture kind={file} uuid={header.media_uuid} url={header.url} />;
  if (parts.length === 0)
    return (
      <>
        {picture}
        <Words header={value.name} footer="The words of this template are not known here.">
          {body.map(({ text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: gaps are told by their position
            <div key={index}>
              <Filled text={text || `{{gap ${index + 1}}}`} />
            </div>
          ))}
        </Words>
        {buttons.map(({ index, sub_type, text }) => (
          <Tap key={index} icon={icons[sub_type.toUpperCase()]}>
            <Filled text={text || `Button ${index + 1}`} />
          </Tap>
        ))}
      </>
    );
  const heading = textOf(part('HEADER')?.['text']);
  const drawn = (part('BUTTONS')?.['buttons'] ?? []) as Fields[];
  return (
    <>
      {picture}
      <Words
        header={
          heading && <Gaps text={heading} gaps={[{ text: header.text, parameter_name: header.parameter_name }]} />
        }
        footer={textOf(part('FOOTER')?.['text'])}
      >
        <Gaps text={textOf(part('BODY')?.['text'])} gaps={body} />
      </Words>
      {drawn.map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons are told by their position
        <Tap key={index} icon={icons[textOf(button['type']).toUpperCase()]}>
          {textOf(button['text']) || 'Copy code'}
        </Tap>
      ))}
    </>
  );
}
