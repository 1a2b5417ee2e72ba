import { Alert, Anchor, Grid, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHere } from '../../../parts/account.tsx';
import { ApiForm, EmptyState, Page, Section } from '../../../parts/index.ts';
import type { Draft } from '../../../parts/messages/draft.ts';
import { DraftPreview } from '../../../parts/messages/draft-preview.tsx';
import { sendDraft } from '../../../parts/messages/send.ts';
import type { Message } from '../../../parts/messages/types.ts';
import { sendTypes } from '../../../parts/messages/types.ts';
import { useSenders } from '../../../parts/messages/use-senders.ts';
import { ContentFields } from './content-fields.tsx';
import { OptionFields } from './option-fields.tsx';

/** The form of a new message, with the phone beside it. */
export function Composer({ initial, again }: { initial: Draft; again?: Message }) {
  const { options, isLoading } = useSenders();
  if (isLoading) return null;
  if (options.length === 0)
    return (
      <Page title="New message" trail={[{ title: 'Messages', href: '/messages' }]}>
        <EmptyState
          title="No sender yet."
          hint={
            <Anchor component={Link} href="/settings">
              Add a chat-app account in the settings first.
            </Anchor>
          }
        />
      </Page>
    );
  const sender = initial.chatapp_number || options[0]!.value;
  return <Form initial={{ ...initial, chatapp_number: sender }} again={again} />;
}

function Form({ initial, again }: { initial: Draft; again: Message | undefined }) {
  const [, navigate] = useLocation();
  const { timeZone } = useHere();
  const { options } = useSenders();
  const [draft, setDraft] = useState(initial);
  return (
    <Page
      title={again ? 'Resend as new' : 'New message'}
      description="You can send anything within 24 hours of a person’s last message; otherwise only templates."
      trail={[{ title: 'Messages', href: '/messages' }]}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <Section>
            <ApiForm
              initialValues={initial}
              submit={(values) => sendDraft(values, timeZone)}
              button="Send"
              done="Accepted."
              invalidates={['/v2/chatapp/messages/', '/v2/chatapp/conversations/']}
              onDone={({ uuid }) => navigate(`/messages/${uuid}`)}
              onCancel={() => navigate(again ? `/messages/${again.uuid}` : '/messages')}
              onValues={setDraft}
            >
              {(form) => (
                <Stack>
                  {again && <Alert color="gray">A copy of an earlier message, sent as a new one.</Alert>}
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    <Select
                      label="From"
                      required
                      data={options}
                      allowDeselect={false}
                      searchable={options.length > 8}
                      {...form.getInputProps('chatapp_number')}
                    />
                    <TextInput
                      label="To"
                      required
                      type="tel"
                      placeholder="+44 7700 900123"
                      {...form.getInputProps('to_chatapp_number')}
                    />
                  </SimpleGrid>
                  <Select label="Type" data={[...sendTypes]} allowDeselect={false} {...form.getInputProps('type')} />
                  <ContentFields form={form} />
                  <OptionFields form={form} />
                </Stack>
              )}
            </ApiForm>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          <div style={{ position: 'sticky', top: '5rem' }}>
            <DraftPreview draft={draft} />
          </div>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
