import { Alert, Anchor, Button, Image, NavLink, Stack, Text } from '@mantine/core';
import { isField } from './flow-checks.ts';
import { type FlowAction, type FlowPart, isEnabled, resolve, type Scope, wordsOf } from './flow-definition.ts';
import { FlowField } from './flow-field.tsx';

interface FlowPartProps {
  part: FlowPart;
  scope: Scope;
  errors: Record<string, string>;
  onChange(name: string, value: unknown): void;
  onAction(action: FlowAction, checked: boolean): void;
}

const textSizes: Record<string, { size: string; fw: number; component?: 'h3' }> = {
  TextHeading: { size: 'xl', fw: 700, component: 'h3' },
  TextSubheading: { size: 'lg', fw: 600 },
  TextBody: { size: 'md', fw: 400 },
  TextCaption: { size: 'sm', fw: 400 },
  RichText: { size: 'md', fw: 400 },
};

/** A piece of a screen of a flow: words, a picture, a question, a button. */
export function FlowPiece({ part, scope, errors, onChange, onAction }: FlowPartProps) {
  const { type } = part;
  const words = textSizes[type];
  if (words)
    return (
      <Text
        size={words.size}
        fw={words.fw}
        component={words.component ?? 'p'}
        c={type === 'TextCaption' ? 'dimmed' : undefined}
        style={{ whiteSpace: 'pre-wrap' }}
      >
        {wordsOf(part['text'], scope)}
      </Text>
    );
  if (isField(part))
    return (
      <FlowField part={part} scope={scope} error={errors[part.name]} onChange={(value) => onChange(part.name, value)} />
    );
  const action = (part['on-click-action'] ?? {}) as FlowAction;
  switch (type) {
    case 'Footer':
      return (
        <Button fullWidth radius="xl" disabled={!isEnabled(part, scope)} onClick={() => onAction(action, true)}>
          {wordsOf(part['label'], scope) || 'Continue'}
        </Button>
      );
    case 'EmbeddedLink':
      return (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onAction(action, false)}>
          {wordsOf(part['text'], scope)}
        </Anchor>
      );
    case 'Image': {
      const source = wordsOf(part['src'], scope);
      return source ? (
        <Image
          src={source.startsWith('data:') ? source : `data:image/png;base64,${source}`}
          alt={wordsOf(part['alt-text'], scope)}
          radius="md"
        />
      ) : null;
    }
    case 'NavigationList':
      return <Places part={part} scope={scope} onAction={onAction} />;
    default:
      return <Alert color="gray" p="xs">{`“${type}” cannot be tried on this phone.`}</Alert>;
  }
}

interface Item {
  id: string;
  'main-content'?: { title?: string; description?: string };
  'on-click-action'?: FlowAction;
}

function Places({ part, scope, onAction }: Pick<FlowPartProps, 'part' | 'scope' | 'onAction'>) {
  const items = resolve(part['list-items'], scope);
  if (!Array.isArray(items)) return null;
  return (
    <Stack gap={0}>
      {(items as Item[]).map((item) => (
        <NavLink
          key={item.id}
          component="button"
          label={item['main-content']?.title ?? item.id}
          description={item['main-content']?.description}
          onClick={() => onAction(item['on-click-action'] ?? (part['on-click-action'] as FlowAction) ?? {}, false)}
        />
      ))}
    </Stack>
  );
}
