import { Alert, Grid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { exampleComponents, PhonePreview, templateView } from '../../parts/bubble/index.ts';
import { ApiForm, editing, Page, Section } from '../../parts/index.ts';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { BodyFields } from './body-fields.tsx';
import { ButtonsFields } from './buttons-fields.tsx';
import { componentsOf, editOf, type TemplateEdit } from './form.ts';
import { HeaderFields } from './header-fields.tsx';
import { NameFields } from './name-fields.tsx';
import { RestFields } from './rest-fields.tsx';

const { CodeFields } = pagesOf(() => import('./code-fields.tsx'));

interface EditorProps {
  title: string;
  initial: TemplateEdit;
  /** The one that is changed. */
  template?: Template;
  /** Tells drafts of new templates apart. */
  draft?: string;
  submit(edit: TemplateEdit, ifMatch?: string): Promise<Template>;
}

/** The form of a template with the phone beside it. */
export function Editor({ title, initial, template, draft = 'new', submit }: EditorProps) {
  const [, navigate] = useLocation();
  const { nameOf } = useSenders();
  const [edit, setEdit] = useState(initial);
  const isCode = edit.category === 'AUTHENTICATION';
  const definition = { name: edit.name, components: componentsOf(edit), parameter_format: edit.parameter_format };
  const trail = [
    { title: 'Templates', href: '/templates' },
    ...(template ? [{ title: template.name, href: `/templates/${template.uuid}` }] : []),
  ];
  return (
    <Page
      title={title}
      trail={trail}
      description="The platform reviews templates within minutes to a day. The sandbox approves immediately."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <ApiForm
            initialValues={initial}
            edits={editing(template, '/v2/chatapp/message-templates/{uuid}/', { uuid: template?.uuid ?? '' }, editOf)}
            draft={`template:${template?.uuid ?? draft}`}
            submit={submit}
            button={template ? 'Submit the change' : 'Submit'}
            done="Submitted."
            invalidates={['/v2/chatapp/message-templates/']}
            onDone={({ uuid }) => navigate(`/templates/${uuid}`)}
            onCancel={() => navigate(template ? `/templates/${template.uuid}` : '/templates')}
            onValues={setEdit}
          >
            {(form) => (
              <Stack>
                {template?.status === 'APPROVED' && (
                  <Alert color="orange">
                    It cannot be sent while the change is reviewed. The platform takes one change in 24 hours and ten in
                    30 days.
                  </Alert>
                )}
                <Section title="General">
                  <NameFields form={form} template={template} />
                </Section>
                {isCode ? (
                  <Section title="Message" description="One-time passwords have the platform's words.">
                    <Later>
                      <CodeFields form={form} />
                    </Later>
                  </Section>
                ) : (
                  <>
                    <Section title="Message">
                      <Stack>
                        <HeaderFields form={form} />
                        <BodyFields form={form} />
                      </Stack>
                    </Section>
                    <Section title="Buttons" description="Up to ten. Quick replies must stand together.">
                      <ButtonsFields form={form} />
                    </Section>
                    <RestFields form={form} />
                  </>
                )}
              </Stack>
            )}
          </ApiForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          <div style={{ position: 'sticky', top: '5rem' }}>
            <PhonePreview
              from={nameOf(edit.chatapp_number)}
              view={templateView(edit.name, definition, exampleComponents(definition))}
              note="Filled with your examples. Orange: variables without one."
            />
          </div>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
