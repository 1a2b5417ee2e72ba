import {
  ActionIcon,
  Card,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { FlowPart, FlowScreen } from '../../../parts/flows/flow-definition.ts';
import { hasOptions, isFieldPart, isKind, kinds, longest } from './kinds.ts';
import { actionOf, actionTo, linesOf, optionsFrom } from './model.ts';

interface PartCardProps {
  part: FlowPart;
  screen: FlowScreen;
  screens: FlowScreen[];
  isFirst: boolean;
  isLast: boolean;
  onChange(change: Partial<FlowPart>): void;
  onMove(by: 1 | -1): void;
  onRemove(): void;
}

/** One component of a screen: what can be said of it, its place, and a way to take it off. */
export function PartCard({ part, screen, screens, isFirst, isLast, onChange, onMove, onRemove }: PartCardProps) {
  const label = isKind(part.type) ? kinds[part.type].label : part.type;
  return (
    <Card withBorder padding="sm" component="section" aria-label={label}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {label}
          </Text>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Move ${label} up`}
              disabled={isFirst}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Move ${label} down`}
              disabled={isLast}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label}`} onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
        {isKind(part.type) ? (
          <PartFields part={part} screen={screen} screens={screens} onChange={onChange} />
        ) : (
          <Text size="sm" c="dimmed">
            This component is edited as JSON.
          </Text>
        )}
      </Stack>
    </Card>
  );
}

type FieldsProps = Pick<PartCardProps, 'part' | 'screen' | 'screens' | 'onChange'>;

function PartFields({ part, screen, screens, onChange }: FieldsProps) {
  const most = isKind(part.type) ? longest[part.type] : undefined;
  const words = (name: string) => ({
    value: String(part[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  });
  if (part.type === 'TextHeading') return <TextInput label="Text" maxLength={most} {...words('text')} />;
  if (part.type === 'TextBody')
    return <Textarea label="Text" autosize minRows={2} maxLength={most} {...words('text')} />;
  if (part.type === 'Footer') {
    const action = actionOf(part);
    const others = screens.filter(({ id }) => id !== screen.id);
    const isPlain = action?.name === 'complete' || action?.name === 'navigate';
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Label" maxLength={most} {...words('label')} />
        {isPlain ? (
          <NativeSelect
            label="When it is tapped"
            data={[
              { value: '', label: 'Send the answers' },
              ...others.map(({ id, title }) => ({ value: id, label: `Go to “${title || id}”` })),
            ]}
            value={action?.next?.name ?? ''}
            onChange={(event) => onChange({ 'on-click-action': actionTo(event.currentTarget.value || undefined) })}
          />
        ) : (
          <Text size="sm" c="dimmed">
            What it does is edited as JSON.
          </Text>
        )}
      </SimpleGrid>
    );
  }
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Label" maxLength={most} {...words('label')} />
        {isFieldPart(part) && (
          <TextInput
            label="Name of the answer"
            description="Letters, digits and underscores."
            value={part.name}
            onChange={(event) => onChange({ name: event.currentTarget.value.replaceAll(/\W+/g, '_') })}
          />
        )}
      </SimpleGrid>
      {part.type === 'TextInput' && (
        <NativeSelect
          label="What is typed"
          data={['text', 'email', 'phone', 'number', 'password', 'passcode']}
          value={String(part['input-type'] ?? 'text')}
          onChange={(event) => onChange({ 'input-type': event.currentTarget.value })}
        />
      )}
      {hasOptions(part.type) && <Options part={part} onChange={onChange} />}
      <Switch
        label="Required"
        checked={part['required'] === true}
        onChange={(event) => onChange({ required: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function Options({ part, onChange }: Pick<FieldsProps, 'part' | 'onChange'>) {
  if (part['data-source'] !== undefined && !Array.isArray(part['data-source']))
    return (
      <Text size="sm" c="dimmed">
        Its options come from the data of the screen, which is edited as JSON.
      </Text>
    );
  return (
    <Textarea
      label="Options"
      description="One in each line."
      autosize
      minRows={2}
      value={linesOf(part)}
      onChange={(event) =>
        onChange({
          'data-source': optionsFrom(event.currentTarget.value, part['data-source']) as unknown as FlowPart[],
        })
      }
    />
  );
}
