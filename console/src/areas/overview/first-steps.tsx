import { Button, Group, SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconArrowsSplit2, IconCheck, IconDeviceMobile, IconHash } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useList, useOne } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';

/** Whether nothing was sent yet, and then what there is already. */
export function useFirstSteps(enabled = true) {
  const ledger = useOne('/v2/account/ledger/', {}, {}, { enabled });
  const quiet = ledger.data !== undefined && ledger.data.accepted + ledger.data.sms.accepted === 0;
  const numbers = useList('/v2/number/', undefined, { pageSize: 1, enabled: quiet });
  const intros = useList('/v2/chatapp/chat-intros/', undefined, { pageSize: 1, enabled: quiet });
  return { quiet, numbers, intros, isLoading: ledger.isLoading || numbers.isLoading || intros.isLoading };
}

/** What to do with an empty account; gone once there is an intro and something was sent. */
export function FirstSteps() {
  const { quiet, numbers, intros, isLoading } = useFirstSteps();
  if (!quiet || isLoading) return null;
  return (
    <Section
      title="First steps"
      description="Two minutes to see what it does. The sandbox needs no account and costs nothing."
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <StepCard
          icon={IconArrowsSplit2}
          title="Create an intro"
          text="A link that answers by itself and brings a lead together with an agent."
          href="/intros/new"
          button="Create an intro"
          done={intros.rows.length > 0}
        />
        <StepCard
          icon={IconDeviceMobile}
          title="Open the simulator"
          text="Be the lead: open the link, send the text, see the reply and the agent's phone."
          href={intros.rows[0] ? `/intros/${intros.rows[0].uuid}` : '/phone'}
          button="Open the simulator"
          done={false}
        />
        <StepCard
          icon={IconHash}
          title="Buy a number"
          text="For calls and SMS: with recording, voicemail and routing."
          href="/numbers"
          button="Find a number"
          done={numbers.rows.length > 0}
        />
      </SimpleGrid>
    </Section>
  );
}

interface StepCardProps {
  icon: Icon;
  title: string;
  text: string;
  href: string;
  button: string;
  done: boolean;
}

const StepCard = ({ icon: Icon, title, text, href, button, done }: StepCardProps) => (
  <div>
    <Group gap="xs" mb={6}>
      <ThemeIcon variant="light" size="lg" radius="xl">
        {done ? <IconCheck size={18} aria-hidden /> : <Icon size={18} aria-hidden />}
      </ThemeIcon>
      <Text fw={600}>
        {title}
        {done && ', done'}
      </Text>
    </Group>
    <Text size="sm" c="dimmed" mb="sm">
      {text}
    </Text>
    <Button component={Link} href={href} size="xs" variant={done ? 'default' : 'filled'}>
      {button}
    </Button>
  </div>
);
