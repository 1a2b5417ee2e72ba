import { Anchor, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { screensOf, type Values } from '../../parts/flows/flow-definition.ts';
import { FlowForm } from '../../parts/flows/flow-form.tsx';
import { Json, Loaded } from '../../parts/index.ts';
import { ClockProvider } from './frame/clock.tsx';
import frame from './frame/handset.module.css';
import classes from './frame/pair.module.css';
import screen from './frame/screen.module.css';
import { ScreenHead } from './frame/screen-head.tsx';
import { StatusBar } from './frame/status-bar.tsx';

/** A flow on a phone, to be tried; nothing is sent. */
export const FlowPreview = ({ id }: { id: string }) => (
  <ClockProvider>
    <Preview id={id} />
  </ClockProvider>
);

function Preview({ id }: { id: string }) {
  const query = useOne('/v2/sandbox/flows/{flow_id}/', { flow_id: id });
  const [answers, setAnswers] = useState<Values>();
  const name = query.data?.name ?? 'Flow';
  useEffect(() => {
    document.title = `${name} · Parley`;
  }, [name]);
  return (
    <div className={classes['page']}>
      <header className={classes['bar']}>
        <Anchor component={Link} href="/flows" size="sm">
          <IconArrowLeft size={14} aria-hidden /> Flows
        </Anchor>
        <Text fw={650}>Preview of a flow</Text>
      </header>
      <main className={classes['desk']}>
        <VisuallyHidden component="h1">Preview of the flow {name}</VisuallyHidden>
        <section className={frame['frame']} aria-label="Phone">
          <div className={frame['glass']}>
            <StatusBar overCall={false} />
            <ScreenHead title={name} subtitle="Nothing is sent from here" />
            <div className={`${screen['scroll']} ${screen['pad']}`}>
              <Loaded query={query} what="flow">
                {(flow) =>
                  answers ? (
                    <Done answers={answers} onAgain={() => setAnswers(undefined)} />
                  ) : (
                    <FlowForm screens={screensOf(flow.definition)} onComplete={setAnswers} />
                  )
                }
              </Loaded>
            </div>
          </div>
        </section>
      </main>
    </div>
  );
}

function Done({ answers, onAgain }: { answers: Values; onAgain(): void }) {
  return (
    <Stack align="center" pt="xl">
      <IconCircleCheck size={48} aria-hidden />
      <Text role="status">This is what would be sent.</Text>
      <Json value={answers} title="Answers" open />
      <Button variant="light" onClick={onAgain}>
        Fill it in again
      </Button>
    </Stack>
  );
}
