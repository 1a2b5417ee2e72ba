import { Button, Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { example, readDefinition } from '../definition.ts';
import classes from '../flows.module.css';
import { ScreensEditor } from './screens-editor.tsx';

interface DefinitionFieldProps {
  value?: string;
  onChange(text: string): void;
  error?: ReactNode;
}

const print = (definition: object): string => JSON.stringify(definition, null, 2);

/** A definition, drawn screen by screen or written as JSON: two views of one text. */
export default function DefinitionField({ value = '', onChange, error }: DefinitionFieldProps) {
  const [view, setView] = useState('screens');
  const read = readDefinition(value);
  return (
    <Input.Wrapper label="Screens" labelElement="div" error={error}>
      <Stack mt={4}>
        <SegmentedControl
          aria-label="View of the definition"
          value={view}
          onChange={setView}
          data={[
            { value: 'screens', label: 'Editor' },
            { value: 'json', label: 'JSON' },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {view === 'screens' &&
          (read.problem === undefined ? (
            <ScreensEditor definition={read.definition} onChange={(definition) => onChange(print(definition))} />
          ) : (
            <Text size="sm">Mend the JSON first: {read.problem}</Text>
          ))}
        {view === 'json' && (
          <Textarea
            className={classes['code'] ?? ''}
            aria-label="Definition"
            autosize
            minRows={14}
            maxRows={30}
            spellCheck={false}
            placeholder='{"version": "7.3", "screens": […]}'
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => onChange(print(example))}>
            Use the example
          </Button>
          {view === 'json' && (
            <Button
              variant="default"
              size="xs"
              disabled={read.problem !== undefined || !read.definition}
              onClick={() => read.problem === undefined && read.definition && onChange(print(read.definition))}
            >
              Tidy up
            </Button>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
