import { Anchor, Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAllLists } from '../../parts/fields/use-all-lists.ts';
import { Facts, Json, Phone, Time } from '../../parts/index.ts';
import { audienceQuery, sayAudience } from './wizard/audience/audience.ts';
import { sayCondition } from './wizard/audience/segment.ts';
import type { Campaign } from './wizard/form.ts';

/** What a campaign says, in words. */
export function Settings({ campaign }: { campaign: Campaign }) {
  const { channel, sender, template, quiet_hours: quiet, fallbacks } = campaign;
  const audience = useQuery(audienceQuery(campaign));
  const said = Object.entries(fallbacks).map(([name, text]) => `${name}: ${text}`);
  return (
    <>
      <Facts
        rows={[
          ['Channel', channel === 'SMS' ? 'SMS' : 'Chat'],
          ['Sender', /[a-z]/i.test(sender) ? sender : <Phone key="sender" number={sender} />],
          ['Lists', <Names key="lists" uuids={campaign.lists} />],
          ...(campaign.excluded_lists.length > 0
            ? [['Excluded lists', <Names key="excluded" uuids={campaign.excluded_lists} />] as const]
            : []),
          ...(campaign.segment.length > 0 ? [['Segment', campaign.segment.map(sayCondition).join(', ')] as const] : []),
          ['Current audience', audience.data ? sayAudience(audience.data) : audience.error ? 'Not known' : '…'],
          ['Message', template ? `Template ${template.template_name}` : 'Text'],
          ['Fallbacks', said.join(', ') || 'None'],
          ['Links', campaign.track_links ? 'Tracked' : 'Not tracked'],
          ['Begins', campaign.send_at ? <Time key="at" at={campaign.send_at} exact /> : 'At launch'],
          ['Pace', campaign.rate_per_second ? `At most ${campaign.rate_per_second} a second` : 'Sender’s limit'],
          [
            'Quiet hours',
            quiet === null ? 'Account default' : quiet === false ? 'None' : `${quiet.start} to ${quiet.end}`,
          ],
        ]}
      />
      {Object.keys(campaign.meta_data).length > 0 && (
        <Box mt="sm">
          <Json value={campaign.meta_data} title="Metadata" />
        </Box>
      )}
    </>
  );
}

function Names({ uuids }: { uuids: string[] }) {
  const lists = useAllLists();
  const gone = uuids.filter((uuid) => !lists.some((list) => list.uuid === uuid)).length;
  return (
    <Group gap="xs">
      {lists
        .filter(({ uuid }) => uuids.includes(uuid))
        .map(({ uuid, name }) => (
          <Anchor key={uuid} component={Link} href={`/lists/${uuid}`} size="sm">
            {name}
          </Anchor>
        ))}
      {lists.length > 0 && gone > 0 && (
        <Text size="sm" c="dimmed">
          {gone} deleted
        </Text>
      )}
    </Group>
  );
}
