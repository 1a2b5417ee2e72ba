import { Alert, Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { Status } from '../../../../parts/index.ts';
import { useDefinitions } from '../../../../parts/messages/use-definitions.ts';
import {
  type ButtonKind,
  type Definition,
  shapeFor,
  type TemplateForm,
  TemplateGaps,
} from '../../../../parts/writing/index.ts';
import type { FormProps } from '../form-props.ts';

interface TemplateFieldsProps extends FormProps {
  at: 'notify' | 'aparty_notify';
  label: string;
  description: string;
  required?: boolean;
}

/** A template of the number, and what goes into its gaps. */
export function TemplateFields({ form, at, label, description, required = false }: TemplateFieldsProps) {
  const templates = useDefinitions(form.values.chatapp_number);
  const value = form.values[at];
  const definition = templates.find(value.name);
  const isKnown = (definition?.components.length ?? 0) > 0;
  const shape = useEffectEvent(() => {
    const shaped = withCode(at, shapeFor(form.values[at], definition), form.values[at]);
    if (JSON.stringify(shaped) !== JSON.stringify(form.values[at])) form.setFieldValue(at, shaped);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another template is chosen, or it has come
  useEffect(() => shape(), [definition?.name, isKnown]);
  return (
    <Stack gap="sm">
      <Autocomplete
        label={label}
        description={description}
        placeholder="Template name"
        required={required}
        data={templates.names}
        maxLength={512}
        rightSectionWidth={110}
        rightSection={definition && definition.status !== 'APPROVED' && <Status word={definition.status} />}
        {...form.getInputProps(`${at}.name`)}
      />
      {value.name !== '' && <Known definition={definition} isKnown={isKnown} />}
      <TemplateGaps
        form={form}
        at={at}
        value={value}
        address="{{intro_chat_shortcode}}"
        flow={(button) => (
          <Text key={button} size="sm" c="dimmed">
            Button {button} opens a flow. Its answers become variables, and the agent is notified immediately.
          </Text>
        )}
      >
        {value.name !== '' && !isKnown && <Free form={form} at={at} />}
      </TemplateGaps>
    </Stack>
  );
}

const codes = { notify: '{{intro_chat_shortcode}}', aparty_notify: '{{intro_chat_link_aparty_shortcode}}' } as const;

/** A URL button that has just come with its template leads to the chat: its code is filled in. */
function withCode(at: 'notify' | 'aparty_notify', shaped: TemplateForm, before: TemplateForm): TemplateForm {
  const isNew = (index: number) => !before.buttons.some((one) => one.index === index && one.sub_type === 'url');
  const first = shaped.buttons.findIndex(({ sub_type }) => sub_type === 'url');
  const buttons = shaped.buttons.map((button, place) =>
    place === first && button.text === '' && isNew(button.index) ? { ...button, text: codes[at] } : button,
  );
  return { ...shaped, buttons };
}

function Known({ definition, isKnown }: { definition: Definition | undefined; isKnown: boolean }) {
  if (isKnown && definition?.status !== 'APPROVED')
    return <Alert color="orange">Only approved templates can be sent.</Alert>;
  if (isKnown) return null;
  return (
    <Alert color="gray">
      {definition ? 'The content of this template is not available.' : 'This number has no template of that name.'} On
      the sandbox it works all the same. Add the gaps that it has:
    </Alert>
  );
}

/** A template whose shape is not known: one says oneself what it has. */
function Free({ form, at }: Pick<TemplateFieldsProps, 'form' | 'at'>) {
  const { header, body, buttons } = form.values[at];
  const addButton = (sub_type: ButtonKind) =>
    form.insertListItem(`${at}.buttons`, { index: buttons.length, sub_type, text: '', kept: undefined });
  const small = { variant: 'default', size: 'xs', leftSection: <IconPlus size={14} /> } as const;
  return (
    <Group gap="xs">
      <Select
        aria-label="Header of the template"
        size="xs"
        w={150}
        data={[
          { value: 'none', label: 'No header' },
          { value: 'text', label: 'Text header' },
          { value: 'image', label: 'Image header' },
          { value: 'video', label: 'Video header' },
          { value: 'document', label: 'Document header' },
        ]}
        allowDeselect={false}
        value={header.kind}
        onChange={(kind) => kind && form.setFieldValue(`${at}.header.kind`, kind as never)}
      />
      <Button {...small} onClick={() => form.insertListItem(`${at}.body`, { text: '', parameter_name: '' })}>
        Body variable
      </Button>
      <Button {...small} onClick={() => addButton('url')}>
        URL button
      </Button>
      <Button {...small} onClick={() => addButton('flow')}>
        Flow button
      </Button>
      {body.length + buttons.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() =>
            form.removeListItem(`${at}.${buttons.length > 0 ? 'buttons' : 'body'}`, (buttons.length || body.length) - 1)
          }
        >
          Remove the last
        </Button>
      )}
    </Group>
  );
}
