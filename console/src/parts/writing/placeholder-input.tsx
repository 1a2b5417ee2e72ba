import {
  ActionIcon,
  Combobox,
  Text,
  Textarea,
  type TextareaProps,
  Tooltip,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useKnownNames } from '../bubble/index.ts';

interface PlaceholderInputProps extends Omit<TextareaProps, 'value' | 'onChange' | 'label'> {
  label: string;
  value?: string;
  /** As Mantine's forms want it: the text, not the event. */
  onChange?: (text: string) => void;
  /** A line that does not take line breaks. */
  line?: boolean;
}

/** The placeholder that is being typed before the caret: where it begins, and its name so far. */
function typing(text: string, caret: number): { from: number; name: string } | undefined {
  const from = text.lastIndexOf('{{', caret - 1);
  const name = from < 0 ? '' : text.slice(from + 2, caret);
  return from >= 0 && !/[{}\n]/.test(name) ? { from, name: name.trimStart() } : undefined;
}

/**
 * A text with `{{placeholders}}`: typing `{{`, or the button with the braces, offers the names that are known.
 * `<PlaceholderInput label="Reply" {...form.getInputProps('reply_message_template')} />`
 */
export function PlaceholderInput({ value = '', onChange, line = false, label, ...props }: PlaceholderInputProps) {
  const names = useKnownNames();
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const typed = typing(value, caret);
  const fitting = typed ? names.filter(({ name }) => name.toLowerCase().includes(typed.name.toLowerCase().trim())) : [];
  const open = combobox.dropdownOpened && typed !== undefined && fitting.length > 0;

  const moveTo = (place: number): void => {
    setCaret(place);
    // The new text must be there first.
    setTimeout(() => {
      input.current?.focus();
      input.current?.setSelectionRange(place, place);
    });
  };
  const look = (text: string, place: number): void => {
    setCaret(place);
    if (typing(text, place)) {
      combobox.openDropdown();
      combobox.selectFirstOption();
    } else combobox.closeDropdown();
  };
  const insert = (name: string): void => {
    if (!typed) return;
    const rest = value.slice(caret).replace(/^\s*\}\}/, '');
    const before = `${value.slice(0, typed.from)}{{${name}}}`;
    onChange?.(before + rest);
    combobox.closeDropdown();
    moveTo(before.length);
  };
  const begin = (): void => {
    const place =
      document.activeElement === input.current
        ? (input.current?.selectionStart ?? value.length)
        : caret || value.length;
    onChange?.(`${value.slice(0, place)}{{${value.slice(place)}`);
    moveTo(place + 2);
    combobox.openDropdown();
    setTimeout(() => combobox.selectFirstOption());
  };
  return (
    <Combobox store={combobox} onOptionSubmit={insert} position="bottom-start" width={320} withinPortal>
      <Combobox.Target withKeyboardNavigation={open}>
        <Textarea
          ref={input}
          label={label}
          autosize
          minRows={line ? 1 : 2}
          maxRows={12}
          value={value}
          rightSection={
            <Tooltip label="Insert a placeholder">
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={begin}
                aria-label={`Insert a placeholder into ${label}`}
              >
                <IconBraces size={17} />
              </ActionIcon>
            </Tooltip>
          }
          rightSectionProps={{ style: { alignItems: 'flex-start', paddingTop: 4 } }}
          onChange={(event) => {
            const { selectionStart } = event.currentTarget;
            const text = line ? event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') : event.currentTarget.value;
            onChange?.(text);
            look(text, selectionStart);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && open) {
              event.stopPropagation();
              combobox.closeDropdown();
            } else if (event.key === 'Tab' && open) {
              event.preventDefault();
              combobox.clickSelectedOption();
            } else if (line && event.key === 'Enter' && !open) event.preventDefault();
          }}
          {...props}
          onBlur={(event) => {
            combobox.closeDropdown();
            props.onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!open}>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label="Placeholders">
          {fitting.map(({ name, from }) => (
            <Combobox.Option key={name} value={name}>
              <Text size="sm" fw={500}>
                {name}
              </Text>
              <Text size="xs" opacity={0.85}>
                {from}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
      <VisuallyHidden aria-live="polite">
        {open ? `${fitting.length} placeholders. Up and down to choose, Enter to insert.` : ''}
      </VisuallyHidden>
    </Combobox>
  );
}
