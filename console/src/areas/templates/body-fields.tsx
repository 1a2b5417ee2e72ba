import { Button, Fieldset, Group, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { IconVariable } from '@tabler/icons-react';
import { useRef } from 'react';
import { gapsIn } from '../../parts/bubble/index.ts';
import { exampleKey } from './form.ts';
import type { FormProps } from './form-props.ts';

/** The text with its variables, an example for each, and the small print. */
export function BodyFields({ form }: FormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = form.values.body;
  const gaps = gapsIn(text);
  const isNamed = form.values.parameter_format === 'NAMED';
  const insert = () => {
    const name = isNamed ? `name_${gaps.length + 1}` : String(gaps.length + 1);
    const at = field.current?.selectionStart ?? text.length;
    form.setFieldValue('body.text', `${text.slice(0, at)}{{${name}}}${text.slice(at)}`);
    field.current?.focus();
  };
  return (
    <>
      <div>
        <Textarea
          ref={field}
          label="Body"
          required
          autosize
          minRows={5}
          maxLength={1024}
          description="Words before the first and after the last variable. *bold*, _italic_ and ~struck~ are shown as such."
          {...form.getInputProps('body.text')}
        />
        <Group justify="space-between" mt="xs">
          <Button variant="default" size="xs" leftSection={<IconVariable size={15} />} onClick={insert}>
            Insert a variable
          </Button>
          <Text size="xs" c="dimmed">
            {[...text].length} of 1,024 characters
          </Text>
        </Group>
      </div>
      {gaps.length > 0 && (
        <Fieldset legend="Examples, for the reviewer">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {gaps.map((gap) => {
              const path = `body.examples.${exampleKey(gap)}`;
              const { value, ...props } = form.getInputProps(path);
              return (
                <TextInput
                  key={gap}
                  label={`{{${gap}}}`}
                  required
                  value={(value as string | undefined) ?? ''}
                  {...props}
                />
              );
            })}
          </SimpleGrid>
        </Fieldset>
      )}
      <TextInput
        label="Footer"
        maxLength={60}
        description="Small print below the body, without variables; may be left empty."
        {...form.getInputProps('footer.text')}
      />
    </>
  );
}
