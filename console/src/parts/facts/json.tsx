import { Code, Collapse, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { Copy } from './copy.tsx';

/** A value as indented JSON, with a heading that folds it away: `<Json value={call} title="As the API tells it" />`. */
export function Json({ value, title = 'Data', open = false }: { value: unknown; title?: string; open?: boolean }) {
  const [opened, { toggle }] = useDisclosure(open);
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return (
    <div>
      <Group gap={4}>
        <UnstyledButton onClick={toggle} aria-expanded={opened} fz="sm" c="dimmed">
          <Group gap={4}>
            <IconChevronRight size={15} style={{ transform: opened ? 'rotate(90deg)' : 'none' }} aria-hidden />
            {title}
          </Group>
        </UnstyledButton>
        {opened && <Copy value={text} what={title} />}
      </Group>
      <Collapse expanded={opened}>
        {opened && (
          // Who has no mouse must be able to scroll it.
          <Code block mt={4} mah="28rem" tabIndex={0} style={{ overflow: 'auto' }}>
            {text}
          </Code>
        )}
      </Collapse>
    </div>
  );
}
