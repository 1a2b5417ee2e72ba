import { Modal, ScrollArea, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useId, useState } from 'react';
import classes from './palette.module.css';
import { type Item, useItems } from './palette-items.ts';

const pauseMs = 200;

/** One search over pages, actions, people, numbers, intros, campaigns and messages, by keyboard alone if one likes. */
export default function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [sought] = useDebouncedValue(text.trim(), pauseMs);
  const { items, isLoading } = useItems(text.trim(), sought);
  const id = useId();
  const at = Math.min(chosen, items.length - 1);
  const act = (item: Item | undefined) => {
    if (!item) return;
    onClose();
    item.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((at + step + items.length) % Math.max(items.length, 1));
    else if (event.key === 'Enter') act(items[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      centered={false}
      aria-label="Search"
    >
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes['field'] ?? ''}
        leftSection={<IconSearch size={18} aria-hidden />}
        placeholder="Search pages, people, numbers, campaigns…"
        aria-label="Search"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        {...(items[at] && { 'aria-activedescendant': `${id}-${at}` })}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize mah="55vh" className={classes['found'] ?? ''}>
        <div id={id} role="listbox" aria-label="Results" aria-busy={isLoading}>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is chosen
            <Fragment key={index}>
              {item.group !== items[index - 1]?.group && (
                <div className={classes['group']} role="presentation">
                  {item.group}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: the field above names the active one */}
              <div
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                className={classes['item']}
                ref={index === at ? intoView : null}
                onPointerMove={() => setChosen(index)}
                onClick={() => act(item)}
              >
                {item.label}
                {item.detail && <span className={classes['detail']}>{item.detail}</span>}
              </div>
            </Fragment>
          ))}
        </div>
        {items.length === 0 && (
          <Text c="dimmed" p="md" role="status">
            {isLoading ? 'Searching…' : 'No results.'}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Modal>
  );
}

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
