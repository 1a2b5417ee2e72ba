import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useLiveRefresh } from '../../live/index.ts';
import { EmptyState, May, Page } from '../../parts/index.ts';
import { ConversationList } from './conversation-list.tsx';
import classes from './inbox.module.css';
import { Thread } from './thread.tsx';
import type { Pair } from './types.ts';

const create = (
  <May>
    <Button component={Link} href="/messages/new?type=TEMPLATE" variant="default" leftSection={<IconPlus size={16} />}>
      New message
    </Button>
  </May>
);

/** Who wrote on the left, what was said on the right. On a phone one of the two. */
export function Inbox({ pair }: { pair?: Pair }) {
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  useLiveRefresh(['message.'], ['/v2/chatapp/conversations/', '/v2/chatapp/messages/']);
  // A conversation may go by the name of the contact.
  useLiveRefresh(['contact.'], ['/v2/chatapp/conversations/']);
  useLiveRefresh(['optout.', 'contact.', 'lead.'], ['/v2/opt-outs/', '/v2/contacts/', '/v2/chatapp/leads/']);
  const thread = pair && <Thread key={`${pair.sender} ${pair.person}`} pair={pair} />;
  return (
    <Page
      title={narrow && pair ? 'Conversation' : 'Conversations'}
      description={narrow && pair ? undefined : 'Messages from people to your numbers.'}
      {...(narrow && pair && { trail: [{ title: 'Conversations', href: '/conversations' }] })}
      {...(!(narrow && pair) && { actions: create })}
    >
      <div className={classes['inbox']}>
        {!(narrow && pair) && <ConversationList pair={pair} />}
        {thread ??
          (!narrow && (
            <div className={classes['nothing']}>
              <EmptyState
                icon={IconMessages}
                title="No conversation selected."
                hint="Select one on the left to read and reply."
              />
            </div>
          ))}
      </div>
    </Page>
  );
}
