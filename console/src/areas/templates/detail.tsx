import { Alert, Button, Grid, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCopyPlus, IconEdit, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { exampleComponents, PhonePreview, templateView } from '../../parts/bubble/index.ts';
import { languageName } from '../../parts/fields/language.ts';
import {
  Facts,
  Id,
  Json,
  Loaded,
  May,
  Page,
  Phone,
  RemoveButton,
  Section,
  Status,
  Story,
  Time,
} from '../../parts/index.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { templateSteps } from './steps.ts';
import { Usage } from './usage.tsx';
import { categoryNames, qualityNames } from './words.ts';

/** One template: how it looks, how it stands, what uses it. */
export function TemplateDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/message-templates/{uuid}/', { uuid });
  useLiveRefresh(['template.'], ['/v2/chatapp/message-templates/', '/v2/events/']);
  return (
    <Loaded query={query} what="template">
      {(template) => <Shown template={template} />}
    </Loaded>
  );
}

function Shown({ template }: { template: Template }) {
  const { nameOf } = useSenders();
  const events = useList('/v2/events/', { subject: template.uuid, ordering: 'created' });
  return (
    <Page
      title={template.name}
      aside={<Status word={template.status} />}
      trail={[{ title: 'Templates', href: '/templates' }]}
      actions={<Actions template={template} />}
    >
      <Stack>
        {template.rejected_reason && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Rejected by the platform">
            {template.rejected_reason}
          </Alert>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <PhonePreview
              from={nameOf(template.chatapp_number)}
              view={templateView(template.name, template, exampleComponents(template))}
              note={template.components.length > 0 ? 'Filled with the examples it was submitted with.' : undefined}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack>
              <Section title="Details">
                <Stack gap="sm">
                  <Facts
                    rows={[
                      ['Number', <Phone key="number" number={template.chatapp_number} />],
                      ['Language', `${languageName(template.language_code)} (${template.language_code})`],
                      [
                        'Category',
                        template.category ? (categoryNames[template.category] ?? template.category) : 'Not known',
                      ],
                      ['Variables', template.parameter_format === 'NAMED' ? 'Named' : 'Numbered'],
                      ['Quality', qualityNames[template.quality] ?? template.quality],
                      ['Created', <Time key="created" at={template.created} exact />],
                      ['Changed', <Time key="modified" at={template.modified} exact />],
                      ['Id', <Id key="id" id={template.uuid} />],
                    ]}
                  />
                  <Json value={template.components} title="Components (JSON)" />
                </Stack>
              </Section>
              <Usage template={template} />
              <Section title="Timeline">
                <Story steps={templateSteps(events.rows)} loading={events.isLoading} />
              </Section>
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  );
}

const editable = new Set(['APPROVED', 'REJECTED', 'PAUSED', 'PENDING']);

function Actions({ template }: { template: Template }) {
  const { uuid, name, language_code, status } = template;
  return (
    <>
      <RemoveButton
        path="/v2/chatapp/message-templates/{uuid}/"
        uuid={uuid}
        what={`the template “${name}”`}
        text={`It is deleted in ${languageName(language_code)}, at the platform as well. Campaigns and intros that name it can send it no more.`}
        back="/templates"
      />
      <May>
        <Button
          component={Link}
          href={`/templates/new?copy=${uuid}`}
          variant="default"
          leftSection={<IconCopyPlus size={16} />}
        >
          Copy
        </Button>
        {editable.has(status) && (
          <Button
            component={Link}
            href={`/templates/${uuid}/edit`}
            variant="default"
            leftSection={<IconEdit size={16} />}
          >
            Edit
          </Button>
        )}
        {status === 'APPROVED' && (
          <Button component={Link} href={`/messages/new?template=${uuid}`} leftSection={<IconSend size={16} />}>
            Send
          </Button>
        )}
      </May>
    </>
  );
}
