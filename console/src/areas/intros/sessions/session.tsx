import { Button, Grid } from '@mantine/core';
import { IconSquareX } from '@tabler/icons-react';
import { useAct, useList, useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { confirm, EmptyState, Page, Section, Status, usePhoneFormat } from '../../../parts/index.ts';
import { nameOf } from '../../../parts/intros/name.ts';
import { SessionFacts } from './session-facts.tsx';
import { SessionStory } from './session-story.tsx';

/** One lead's way through an intro: every step in a sentence, with its cause and the message that was sent. */
export function SessionDetail({ intro: uuid, session }: { intro: string; session: string }) {
  const say = usePhoneFormat();
  const intro = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid });
  const logs = useList('/v2/chatapp/chat-intro-logs/', { session, ordering: 'created' }, { pageSize: 200 });
  useLiveRefresh(['chat_intro.'], ['/v2/chatapp/chat-intro-logs/', '/v2/chatapp/chat-intro-sessions/']);
  const { data: found } = useOne('/v2/chatapp/chat-intro-sessions/{uuid}/', { uuid: session });
  const who = found?.aparty_name || say(found?.aparty_number ?? logs.rows[0]?.aparty_number ?? '') || 'Session';
  const trail = [
    { title: 'Intros', href: '/intros' },
    { title: intro.data ? nameOf(intro.data) : 'Intro', href: `/intros/${uuid}` },
  ];
  return (
    <Page
      title={who}
      trail={trail}
      aside={<Status word={found?.status} />}
      actions={found?.open && <CloseButton uuid={session} />}
      description="Timeline of the session."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title="Timeline">
            {!logs.isLoading && logs.rows.length === 0 ? (
              <EmptyState title="No events for this session." hint="It may have been deleted." />
            ) : (
              <SessionStory logs={logs.rows} loading={logs.isLoading} />
            )}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>{found && <SessionFacts session={found} />}</Grid.Col>
      </Grid>
    </Page>
  );
}

/** Ends a session that is open, after asking. */
function CloseButton({ uuid }: { uuid: string }) {
  const close = useAct('post', '/v2/chatapp/chat-intro-sessions/{uuid}/close/', {
    invalidates: ['/v2/chatapp/chat-intro-sessions/', '/v2/chatapp/chat-intro-logs/', '/v2/chatapp/chat-intros/'],
    done: 'Closed.',
  });
  const ask = async () => {
    const text =
      'Its links stop working immediately and no more notifications are sent. The lead can start a new session.';
    const question = { title: 'Close this session?', text, button: 'Close the session' };
    if (await confirm(question)) close.mutate({ params: { uuid } });
  };
  if (!close.may) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconSquareX size={16} />}
      loading={close.isPending}
      onClick={() => void ask()}
    >
      Close
    </Button>
  );
}
