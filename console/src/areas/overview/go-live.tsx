import { Anchor, Button, Group, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { serverUrl } from '../../api/client.ts';
import { useOne } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';
import { useMaySee } from '../../parts/may.tsx';
import { useKept } from '../../parts/view/kept.ts';
import { type Stage, stagesOf, type Task } from './go-live-steps.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const name = 'go-live';

/** Whether whoever is signed in has put the checklist away, and how to. */
function useHidden(): [boolean, (isHidden: boolean) => void] {
  const [kept, keep] = useKept(name, isText);
  return [kept.includes('hidden'), (isHidden) => keep(isHidden ? ['hidden'] : [])];
}

/** How far the account is, unless whoever is signed in does not want to see it. */
export function useGoLive(enabled = true) {
  const [isHidden] = useHidden();
  return useOne('/v2/account/go-live/', {}, {}, { enabled: enabled && !isHidden });
}

/** From the sandbox to real carriers: what is done and what comes next; gone once the account is live, or hidden. */
export function GoLive() {
  const [isHidden, hide] = useHidden();
  const { data } = useGoLive();
  const maySee = useMaySee();
  if (isHidden || !data || data.live) return null;
  const stages = stagesOf(data, maySee);
  if (stages.length === 0) return null;
  const next = stages.find(({ done }) => !done);
  return (
    <Section
      title="Going live"
      description={
        <>
          From the sandbox to real carriers.{' '}
          <Anchor href={`${serverUrl}/help/going-live/`} inherit>
            How it works
          </Anchor>
          {', '}
          <Anchor href={`${serverUrl}/help/operations/checklist/`} inherit>
            production checklist
          </Anchor>
        </>
      }
      actions={
        <Button size="xs" variant="subtle" onClick={() => hide(true)} aria-label="Hide Going live">
          Hide
        </Button>
      }
    >
      <SimpleGrid component="ol" cols={{ base: 1, sm: 2, lg: stages.length }} m={0} p={0} style={{ listStyle: 'none' }}>
        {stages.map((stage, index) => (
          <StageColumn key={stage.title} stage={stage} index={index} isNext={stage === next} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

/** Brings the checklist back, where it was hidden. */
export function ShowGoLive() {
  const [isHidden, hide] = useHidden();
  if (!isHidden) return null;
  return (
    <Group justify="center">
      <Button size="xs" variant="subtle" onClick={() => hide(false)}>
        Show Going live
      </Button>
    </Group>
  );
}

const StageColumn = ({ stage, index, isNext }: { stage: Stage; index: number; isNext: boolean }) => (
  <li {...(isNext && { 'aria-current': 'step' })}>
    <Group gap="xs" mb="xs">
      <ThemeIcon variant={isNext ? 'filled' : 'light'} size="md" radius="xl">
        {stage.done ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{index + 1}</span>}
      </ThemeIcon>
      <Title order={3} size="h5">
        {stage.title}
        {stage.done && ', done'}
      </Title>
    </Group>
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {stage.tasks.map((task) => (
        <TaskLine key={task.title} task={task} />
      ))}
    </Stack>
  </li>
);

const TaskLine = ({ task: { title, text, href, done } }: { task: Task }) => (
  <li>
    <Group gap={6} wrap="nowrap" align="center">
      {done && <IconCheck size={16} aria-hidden />}
      <Anchor component={Link} href={href} size="sm" fw={500}>
        {title}
        {done && ', done'}
      </Anchor>
    </Group>
    {!done && (
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    )}
  </li>
);
