import { Grid, Stack } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { call, serverUrl } from '../../../api/index.ts';
import { KnownNames } from '../../../parts/bubble/index.ts';
import { ApiForm, editing } from '../../../parts/index.ts';
import { bodyOf, checks, formOf, type Intro, type IntroForm, rename } from '../../../parts/intros/form.ts';
import { namesIn } from '../../../parts/writing/index.ts';
import classes from './editor.module.css';
import { Preview } from './preview.tsx';
import { AgentSection } from './sections/section-agent.tsx';
import { ButtonsSection } from './sections/section-buttons.tsx';
import { ConnectSection } from './sections/section-connect.tsx';
import { LinkSection } from './sections/section-link.tsx';
import { ReplySection } from './sections/section-reply.tsx';
import { VariablesSection } from './sections/section-variables.tsx';
import { textsOf } from './texts.ts';
import { knownNames } from './variables.ts';

interface Saved {
  uuid: string;
}

interface EditorProps {
  initial: IntroForm;
  /** The intro that is changed; none: a new one. */
  intro?: Intro;
  /** Tells drafts of new intros apart. */
  draft?: string;
  onDone(intro: Saved): void;
  onCancel(): void;
  /** Something was typed. */
  onTouched?(): void;
}

async function send(form: IntroForm, uuid: string | undefined, ifMatch: string | undefined): Promise<Saved> {
  const body = bodyOf(form);
  try {
    // PATCH, so that the notification of an intro that notifies nobody at present is kept.
    return await (uuid
      ? call('patch', '/v2/chatapp/chat-intros/{uuid}/', { params: { uuid }, body, ifMatch })
      : call('post', '/v2/chatapp/chat-intros/', { body }));
  } catch (error) {
    throw rename(error, form);
  }
}

/** The form of an intro, with the conversation that it makes beside it. */
export function Editor({ initial, intro, draft = 'new', onDone, onCancel, onTouched }: EditorProps) {
  const uuid = intro?.uuid;
  const [values, setValues] = useState(initial);
  const shown = useDeferredValue(values);
  const names = knownNames(values, serverUrl);
  const known = new Set(names.map(({ name }) => name));
  const missing = namesIn(textsOf(values)).filter((name) => !known.has(name));
  return (
    <KnownNames value={names}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <ApiForm<IntroForm, Saved>
            initialValues={initial}
            edits={editing(intro, '/v2/chatapp/chat-intros/{uuid}/', { uuid: uuid ?? '' }, formOf)}
            draft={`intro:${uuid ?? draft}`}
            submit={(form, ifMatch) => send(form, uuid, ifMatch)}
            validate={checks}
            button={uuid ? 'Save' : 'Create'}
            done={uuid ? 'Saved.' : 'Created.'}
            invalidates={['/v2/chatapp/chat-intros/', '/v2/chatapp/chat-intro-logs/']}
            onValues={(next) => {
              setValues(next);
              onTouched?.();
            }}
            onDone={onDone}
            onCancel={onCancel}
          >
            {(form) => (
              <Stack gap="lg">
                <LinkSection form={form} />
                <ReplySection form={form} />
                <AgentSection form={form} />
                <ConnectSection form={form} />
                <ButtonsSection form={form} />
                <VariablesSection form={form} missing={missing} known={[...known]} />
              </Stack>
            )}
          </ApiForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={classes['aside']} aria-label="Preview" tabIndex={0}>
            <Preview form={shown} names={names} />
          </section>
        </Grid.Col>
      </Grid>
    </KnownNames>
  );
}
