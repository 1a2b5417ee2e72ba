import { ActionIcon, Badge, Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { usePhoneFormat } from '../../parts/index.ts';
import classes from './frame/pair.module.css';
import { isNumber, type Side } from './people.ts';
import { isSame, type Person } from './types.ts';

interface PersonEditProps {
  person: Person;
  /** The number of the other phone. */
  taken: string;
  onChange(person: Person): void;
}

/** Whose phone it is; can be changed. */
export function PersonLabel({ side, ...props }: PersonEditProps & { side: Side }) {
  const format = usePhoneFormat();
  const { person } = props;
  return (
    <div className={classes['label']}>
      <Badge circle size="lg" variant="light">
        {side}
      </Badge>
      <Text size="sm">
        <strong>{person.name || 'Nobody'}</strong> {format(person.number)}
      </Text>
      <PersonEdit {...props} />
    </div>
  );
}

/** The button that changes who has a phone. */
export function PersonEdit({ person, taken, onChange }: PersonEditProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} trapFocus withArrow shadow="md" width={260}>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Change the phone of ${person.name || person.number}`}
          onClick={() => setOpen(!open)}
        >
          <IconPencil size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <PersonForm
          person={person}
          taken={taken}
          onDone={(changed) => {
            setOpen(false);
            onChange(changed);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The name and number of a phone. */
function PersonForm({ person, taken, onDone }: { person: Person; taken: string; onDone(person: Person): void }) {
  const [name, setName] = useState(person.name);
  const [typed, setTyped] = useState(person.number);
  const number = typed.replaceAll(/[\s().-]/g, '');
  const problem = problemWith(number, taken);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) onDone({ number, name: name.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput label="Name" maxLength={255} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput
          label="Number"
          description="Any number works; the last digits decide how it behaves."
          type="tel"
          value={typed}
          error={problem}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" disabled={problem !== undefined}>
          Use this phone
        </Button>
      </Stack>
    </form>
  );
}

function problemWith(number: string, taken: string): string | undefined {
  if (!isNumber(number)) return 'Enter a number with its country code, such as +44 7700 900123.';
  return isSame(number, taken) ? 'The other phone has this number.' : undefined;
}
