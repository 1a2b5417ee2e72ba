import { Anchor, Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Query, useList } from '../../../api/index.ts';
import { DownloadButton, downloadCsv, Section, type Step, Story, usePhoneFormat } from '../../../parts/index.ts';
import { type Log, sayLog } from '../../../parts/intros/log-story.ts';

const kinds = [
  { value: '', label: 'Everything' },
  { value: 'chat_intro.clicked', label: 'Clicks' },
  { value: 'chat_intro.started', label: 'Starts' },
  { value: 'chat_intro.answered', label: 'Answers' },
  { value: 'chat_intro.notified', label: 'Notifications' },
  { value: 'chat_intro.notify_failed', label: 'Notification failures' },
  { value: 'chat_intro.reacted', label: 'Reactions' },
  { value: 'chat_intro.connected', label: 'Connections' },
  { value: 'chat_intro.closed', label: 'Closed sessions' },
  { value: 'chat_intro.problem', label: 'Problems' },
  { value: 'chat_intro.updated', label: 'Changes' },
];

/** Everything that happened to an intro, the newest first. */
export function LogOfIntro({ uuid }: { uuid: string }) {
  const say = usePhoneFormat();
  const [kind, setKind] = useState('');
  const filter = { chat_intro: uuid, ...(kind && { event: kind }) } as Query<'/v2/chatapp/chat-intro-logs/'>;
  const logs = useList('/v2/chatapp/chat-intro-logs/', filter, { pageSize: 50 });
  const stepOf = (log: Log): Step => {
    const { cause, ...said } = sayLog(log);
    const who = log.session && (
      <Anchor component={Link} href={`/intros/${uuid}/sessions/${log.session}`} size="sm">
        {log.aparty_number ? say(log.aparty_number) : 'The session'}
      </Anchor>
    );
    return {
      id: log.uuid,
      at: log.created,
      ...said,
      cause: (who || cause) && (
        <>
          {cause} {who}
        </>
      ),
    };
  };
  return (
    <Section
      title="Log"
      actions={
        <>
          <Select
            aria-label="What to show"
            size="xs"
            data={kinds}
            allowDeselect={false}
            value={kind}
            onChange={(value) => setKind(value ?? '')}
          />
          <DownloadButton
            size="xs"
            save={() =>
              downloadCsv('/v2/chatapp/chat-intros/{uuid}/logs/', { ordering: 'created' }, `intro-${uuid}.csv`, {
                uuid,
              })
            }
          >
            CSV
          </DownloadButton>
        </>
      }
    >
      <Story steps={logs.rows.map(stepOf)} loading={logs.isLoading} />
      {logs.hasMore && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" loading={logs.isLoadingMore} onClick={logs.loadMore}>
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}
