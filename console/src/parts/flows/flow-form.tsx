import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { answersOf, checkFields } from './flow-checks.ts';
import {
  dataOf,
  type FlowAction,
  type FlowScreen,
  firstValues,
  resolve,
  type Scope,
  type Values,
  visibleParts,
} from './flow-definition.ts';
import { FlowPiece } from './flow-part.tsx';

interface FlowFormProps {
  screens: FlowScreen[];
  /** The screen to begin with; empty: the first. */
  first?: string;
  data?: Values;
  onComplete(answers: Values): void;
}

interface Place {
  screen: FlowScreen;
  data: Values;
}

/** A flow, screen by screen; what was filled in is handed over at its end. */
export function FlowForm({ screens, first = '', data = {}, onComplete }: FlowFormProps) {
  const begin = screens.find(({ id }) => id === first) ?? screens[0];
  const [way, setWay] = useState<Place[]>(begin ? [{ screen: begin, data: dataOf(begin, data) }] : []);
  const [filled, setFilled] = useState<Record<string, Values>>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const here = way.at(-1);
  if (!here) return <FreeAnswer onComplete={onComplete} />;
  const { screen } = here;
  const start: Scope = { data: here.data, form: {}, screens: filled };
  const form = filled[screen.id] ?? firstValues(screen.layout?.children, start);
  const scope: Scope = { data: here.data, form, screens: { ...filled, [screen.id]: form } };
  const parts = visibleParts(screen.layout?.children, scope);
  const change = (name: string, value: unknown) => {
    setFilled({ ...filled, [screen.id]: { ...form, [name]: value } });
    setErrors(({ [name]: _, ...others }) => others);
  };
  const act = ({ name = 'complete', next, payload }: FlowAction, checked: boolean) => {
    const problems = checked ? checkFields(parts, scope) : {};
    setErrors(problems);
    if (Object.keys(problems).length > 0) return;
    const answers = payload ? (resolve(payload, scope) as Values) : answersOf(parts, form);
    const target = screens.find(({ id }) => id === next?.name);
    if (name === 'navigate' && target) {
      setFilled({ ...filled, [screen.id]: form });
      setWay([...way, { screen: target, data: dataOf(target, answers) }]);
    } else onComplete(answers);
  };
  return (
    <Stack gap="md">
      {(way.length > 1 || screens.length > 1) && (
        <Group gap="xs">
          {way.length > 1 && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconArrowLeft size={14} />}
              onClick={() => setWay(way.slice(0, -1))}
            >
              Back
            </Button>
          )}
          <Text fw={600}>{screen.title}</Text>
        </Group>
      )}
      {parts.map((part, place) => (
        <FlowPiece
          key={`${screen.id} ${part.name ?? place}`}
          part={part}
          scope={scope}
          errors={errors}
          onChange={change}
          onAction={act}
        />
      ))}
      {!parts.some(({ type }) => type === 'Footer' || type === 'NavigationList') && (
        <Button fullWidth radius="xl" onClick={() => act({}, true)}>
          Send
        </Button>
      )}
    </Stack>
  );
}

/** For a flow whose screens this server does not know. */
function FreeAnswer({ onComplete }: { onComplete(answers: Values): void }) {
  const [answer, setAnswer] = useState('');
  return (
    <Stack>
      <Alert color="gray">The screens of this flow are not known here. Its answer can still be sent.</Alert>
      <TextInput label="Answer" value={answer} onChange={(event) => setAnswer(event.currentTarget.value)} />
      <Button radius="xl" disabled={answer === ''} onClick={() => onComplete({ answer })}>
        Send
      </Button>
    </Stack>
  );
}
