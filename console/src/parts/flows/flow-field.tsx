import {
  Checkbox,
  Chip,
  Group,
  Input,
  NativeSelect,
  PasswordInput,
  Radio,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FlowPart, isEnabled, isRequired, resolve, type Scope, wordsOf } from './flow-definition.ts';

interface Option {
  id: string;
  title: string;
  description?: string;
  enabled?: boolean;
}

interface FieldProps {
  part: FlowPart & { name: string };
  scope: Scope;
  error: string | undefined;
  onChange(value: unknown): void;
}

const optionsOf = (part: FlowPart, scope: Scope): Option[] => {
  const found = resolve(part['data-source'], scope);
  return Array.isArray(found) ? (found as Option[]).filter((option) => option && typeof option === 'object') : [];
};

const inputTypes: Record<string, string> = { email: 'email', phone: 'tel', number: 'text' };

/** A question of a flow. */
export function FlowField({ part, scope, error, onChange }: FieldProps) {
  const value = scope.form[part.name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const shared = {
    label: wordsOf(part['label'], scope) || part.name,
    description: wordsOf(part['helper-text'] ?? part['description'], scope) || undefined,
    required: isRequired(part, scope),
    disabled: !isEnabled(part, scope),
    error,
  };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (part.type) {
    case 'TextArea':
      return <Textarea {...shared} autosize minRows={3} value={text} onChange={onText} />;
    case 'DatePicker':
    case 'CalendarPicker':
      return (
        <TextInput
          {...shared}
          type="date"
          min={wordsOf(part['min-date'], scope) || undefined}
          max={wordsOf(part['max-date'], scope) || undefined}
          value={text}
          onChange={onText}
        />
      );
    case 'Dropdown': {
      const data = optionsOf(part, scope).map(({ id, title, enabled }) => ({
        value: id,
        label: title,
        disabled: enabled === false,
      }));
      return (
        <NativeSelect {...shared} data={[{ value: '', label: 'Choose' }, ...data]} value={text} onChange={onText} />
      );
    }
    case 'OptIn':
      return (
        <Checkbox
          label={shared.label}
          required={shared.required}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'RadioButtonsGroup':
    case 'CheckboxGroup':
    case 'ChipsSelector':
      return <ChoiceField part={part} scope={scope} shared={shared} value={value} onChange={onChange} />;
    default: {
      const kind = String(part['input-type'] ?? 'text');
      if (kind === 'password') return <PasswordInput {...shared} value={text} onChange={onText} />;
      const mode = kind === 'number' || kind === 'passcode' ? 'numeric' : undefined;
      return (
        <TextInput
          {...shared}
          type={inputTypes[kind] ?? 'text'}
          inputMode={mode}
          autoComplete="off"
          value={text}
          onChange={onText}
        />
      );
    }
  }
}

interface ChoiceProps extends Pick<FieldProps, 'part' | 'scope' | 'onChange'> {
  shared: {
    label: string;
    description: string | undefined;
    required: boolean;
    disabled: boolean;
    error: string | undefined;
  };
  value: unknown;
}

/** One of several, or some of them. */
function ChoiceField({ part, scope, shared, value, onChange }: ChoiceProps) {
  const options = optionsOf(part, scope);
  const { disabled, ...group } = shared;
  const many = Array.isArray(value) ? value.map(String) : [];
  const choices = (Choice: typeof Radio | typeof Checkbox) => (
    <Stack gap="xs" mt="xs">
      {options.map(({ id, title, description, enabled }) => (
        <Choice key={id} value={id} label={title} description={description} disabled={disabled || enabled === false} />
      ))}
    </Stack>
  );
  if (part.type === 'RadioButtonsGroup')
    return (
      <Radio.Group {...group} value={typeof value === 'string' ? value : ''} onChange={onChange}>
        {choices(Radio)}
      </Radio.Group>
    );
  if (part.type === 'CheckboxGroup')
    return (
      <Checkbox.Group {...group} value={many} onChange={onChange}>
        {choices(Checkbox)}
      </Checkbox.Group>
    );
  return (
    <Input.Wrapper {...group} labelElement="div">
      <Chip.Group multiple value={many} onChange={onChange}>
        <Group gap="xs">
          {options.map(({ id, title }) => (
            <Chip key={id} value={id} size="xs" disabled={disabled}>
              {title}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
