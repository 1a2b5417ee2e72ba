import { Grid } from '@mantine/core';
import { useList, useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { EmptyState, Page, Section, Status, usePhoneFormat } from '../../../parts/index.ts';
import type { Log } from '../../../parts/intros/log-story.ts';
import { nameOf } from '../../../parts/intros/name.ts';
import { SessionFacts } from './session-facts.tsx';
import { SessionStory } from './session-story.tsx';

/** One lead's way through an intro: every step in a sentence, with its cause and the message that was sent. */
export function SessionDetail({ intro: uuid, session }: { intro: string; session: string }) {
  const say = usePhoneFormat();
  const intro = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid });
  const logs = useList('/v2/chatapp/chat-intro-logs/', { session, ordering: 'created' }, { pageSize: 200 });
  useLiveRefresh(['chat_intro.'], ['/v2/chatapp/chat-intro-logs/', '/v2/chatapp/chat-intros/{uuid}/sessions/']);
  const [first] = logs.rows;
  const found = useSession(uuid, session, first?.created);
  const who = found?.aparty_name || say(first?.aparty_number ?? found?.aparty_number ?? '') || 'Session';
  const trail = [
    { title: 'Intros', href: '/intros' },
    { title: intro.data ? nameOf(intro.data) : 'Intro', href: `/intros/${uuid}` },
  ];
  return (
    <Page
      title={who}
      trail={trail}
      aside={<Status word={found?.status ?? statusIn(logs.rows)} />}
      description="What happened, step by step."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title="What happened">
            {!logs.isLoading && logs.rows.length === 0 ? (
              <EmptyState title="Nothing is known of this session." hint="It may have been deleted." />
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

/** The session itself; it is looked for among those of that minute, as the API gives none by its id. */
function useSession(uuid: string, session: string, started: string | undefined) {
  const aroundMs = started ? Date.parse(started) : 0;
  const near = {
    created_after: new Date(aroundMs - 60_000).toISOString(),
    created_before: new Date(aroundMs + 60_000).toISOString(),
  };
  const list = useList('/v2/chatapp/chat-intros/{uuid}/sessions/', near, {
    params: { uuid },
    enabled: aroundMs > 0,
    pageSize: 200,
  });
  return list.rows.find((one) => one.uuid === session);
}

const statusIn = (logs: Log[]): string | undefined =>
  logs.map(({ data }) => data['status']).findLast((one) => typeof one === 'string');
