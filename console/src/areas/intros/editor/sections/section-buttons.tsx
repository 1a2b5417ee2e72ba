import { Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useList } from '../../../../api/index.ts';
import { AddRow, RemoveRow, Section } from '../../../../parts/index.ts';
import { nameOf } from '../../../../parts/intros/name.ts';
import type { TapAction } from '../../../../parts/intros/tap-actions.ts';
import { tapsOf } from '../../../../parts/intros/taps.ts';
import type { FormProps } from '../form-props.ts';

const nothing = '';
const choices = [
  { value: nothing, label: 'Nothing more' },
  { value: 'NOTIFY', label: 'Notify the agent' },
  { value: 'START', label: 'Start another intro' },
  { value: 'END', label: 'End the session' },
];

/** What a tap on a button or row does, beside being kept as an answer. */
export function ButtonsSection({ form }: FormProps) {
  const { button_actions: actions, notify, aparty_notify } = form.values;
  const taps = tapsOf(form.values);
  const others = actions.flatMap(({ id }, index) => (taps.some((tap) => tap.id === id) ? [] : [index]));
  const add = (id: string, action: TapAction['action']) =>
    form.insertListItem('button_actions', { id, action, chat_intro: '' });
  if (taps.length + actions.length === 0 && notify.name + aparty_notify.name === '') return null;
  return (
    <Section title="Button actions" description="Every tap is stored as an answer. Choose what else it does.">
      <Stack gap="sm">
        {taps.map(({ id, title }) => {
          const index = actions.findIndex((one) => one.id === id);
          const choose = (action: string) => {
            if (index < 0) {
              if (action !== nothing) add(id, action as TapAction['action']);
            } else if (action === nothing) form.removeListItem('button_actions', index);
            else form.setFieldValue(`button_actions.${index}.action`, action as TapAction['action']);
          };
          return (
            <Group key={id} align="center" gap="xs">
              <div style={{ flex: '1 1 10rem', minWidth: 0, overflowWrap: 'anywhere' }}>
                <Text size="sm">{title || 'Untitled'}</Text>
                <Code>{id}</Code>
              </div>
              <ActionFields form={form} id={id} index={index} choose={choose} />
            </Group>
          );
        })}
        {others.map((index) => (
          <Group key={index} align="flex-start" gap="xs">
            <TextInput
              aria-label={`Id of a button, action ${index + 1}`}
              placeholder="Id or payload"
              style={{ flex: '1 1 10rem', minWidth: 0 }}
              {...form.getInputProps(`button_actions.${index}.id`)}
            />
            <ActionFields
              form={form}
              id={actions[index]?.id || `action ${index + 1}`}
              index={index}
              choose={(action) => form.setFieldValue(`button_actions.${index}.action`, action as TapAction['action'])}
              always
            />
            <RemoveRow
              what={`the action of ${actions[index]?.id || `action ${index + 1}`}`}
              onClick={() => form.removeListItem('button_actions', index)}
            />
          </Group>
        ))}
        {others.length > 0 && (
          <Text size="xs" c="dimmed">
            No button above has {others.length === 1 ? 'this id' : 'these ids'}. A button of a template answers with its
            payload, or with its words if it has none.
          </Text>
        )}
        <AddRow onClick={() => add('', 'NOTIFY')}>Add a button by its id</AddRow>
      </Stack>
    </Section>
  );
}

interface ActionFieldsProps extends FormProps {
  id: string;
  /** Among the actions; -1: it has none. */
  index: number;
  choose(action: string): void;
  /** Nothing is no choice. */
  always?: boolean;
}

function ActionFields({ form, id, index, choose, always = false }: ActionFieldsProps) {
  const chosen = form.values.button_actions[index];
  return (
    <>
      <Select
        aria-label={`What ${id} does`}
        data={always ? choices.filter(({ value }) => value !== nothing) : choices}
        allowDeselect={false}
        value={chosen?.action ?? nothing}
        onChange={(value) => choose(value ?? nothing)}
        style={{ flex: '1 1 10rem', minWidth: 0 }}
      />
      {chosen?.action === 'START' && <IntroSelect form={form} id={id} index={index} />}
    </>
  );
}

/** The intro that a button starts: one of the same number. */
function IntroSelect({ form, id, index }: Omit<ActionFieldsProps, 'choose' | 'always'>) {
  const { chatapp_number } = form.values;
  const intros = useList(
    '/v2/chatapp/chat-intros/',
    { chatapp_number },
    { pageSize: 200, enabled: chatapp_number !== '' },
  );
  const at = `button_actions.${index}.chat_intro` as const;
  const value = form.values.button_actions[index]?.chat_intro ?? '';
  const known = intros.rows.map((intro) => ({ value: intro.uuid, label: nameOf(intro) }));
  const isKnown = value === '' || known.some((one) => one.value === value);
  return (
    <Select
      aria-label={`Intro that ${id} starts`}
      placeholder="Which intro"
      data={isKnown ? known : [...known, { value, label: 'An older intro' }]}
      searchable
      nothingFoundMessage="This number has no other intro."
      style={{ flex: '1 1 12rem', minWidth: 0 }}
      {...form.getInputProps(at)}
      value={value || null}
      onChange={(next) => form.setFieldValue(at, next ?? '')}
    />
  );
}
