import { JsonInput } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { KnownNames } from '../bubble/index.ts';
import { FileFields } from './file-fields.tsx';
import type { ButtonKind, TemplateForm } from './template-form.ts';
import { WordsInput } from './words-input.tsx';
import type { WritingForm } from './writing-form.ts';

interface TemplateGapsProps {
  form: Pick<WritingForm, 'getInputProps'>;
  /** Where in the form the template is. */
  at: string;
  value: TemplateForm;
  /** Every gap must be filled in. */
  required?: boolean;
  /** The gap of the body takes a one-time password. */
  isCode?: boolean;
  /** An example for the end of an address. */
  address?: string;
  /** What is said of a button that opens a flow. */
  flow?(button: number): ReactNode;
  /** Before what has no fields of its own. */
  children?: ReactNode;
}

const buttonLabels: Record<Exclude<ButtonKind, 'flow'>, string> = {
  url: 'URL suffix',
  quick_reply: 'payload (optional)',
  copy_code: 'coupon code',
};

/** What goes into the gaps of a template: its header, its body, its buttons. */
export function TemplateGaps(props: TemplateGapsProps) {
  const { form, at, value, required = false, isCode = false, address = '', flow, children } = props;
  const { header, body, buttons, rest } = value;
  // What is filled in later may be longer now.
  const isFilled = useContext(KnownNames) !== undefined;
  return (
    <>
      {header.kind === 'text' && (
        <WordsInput
          label="Header"
          line
          required={required}
          {...(!isFilled && { maxLength: 60 })}
          {...form.getInputProps(`${at}.header.text`)}
        />
      )}
      {header.kind !== 'text' && header.kind !== 'none' && (
        <FileFields form={form} at={`${at}.header`} kind={header.kind} uuid={header.media_uuid} />
      )}
      {body.map(({ parameter_name }, index) => (
        <WordsInput
          // biome-ignore lint/suspicious/noArrayIndexKey: gaps are told by their position
          key={index}
          label={isCode ? 'Code' : parameter_name ? `Body variable ${parameter_name}` : `Body variable ${index + 1}`}
          placeholder={isFilled ? 'Text, or {{ to choose a placeholder' : ''}
          line
          required={required}
          maxLength={isCode ? 15 : 1024}
          {...form.getInputProps(`${at}.body.${index}.text`)}
        />
      ))}
      {buttons.map(({ index, sub_type }, position) =>
        sub_type === 'flow' ? (
          flow?.(index + 1)
        ) : (
          <WordsInput
            key={index}
            label={`Button ${index + 1} ${buttonLabels[sub_type]}`}
            placeholder={sub_type === 'url' ? address : ''}
            line
            required={required && sub_type !== 'quick_reply'}
            {...form.getInputProps(`${at}.buttons.${position}.text`)}
          />
        ),
      )}
      {children}
      {rest !== '' && (
        <JsonInput
          label="Other components"
          description="Carousels, offers, locations and currencies, as JSON."
          autosize
          minRows={3}
          {...form.getInputProps(`${at}.rest`)}
        />
      )}
    </>
  );
}
