import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useLiveRefresh } from '../../live/index.ts';
import { EmptyState, May, Page, usePhoneFormat } from '../../parts/index.ts';
import { ConversationList } from './conversation-list.tsx';
import classes from './inbox.module.css';
import { Thread } from './thread.tsx';
import type { Pair } from './types.ts';
import { usePerson } from './use-person.ts';

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
  const thread = pair && <Thread key={`${pair.sender} ${pair.person}`} pair={pair} isTitled={Boolean(narrow)} />;
  if (narrow && pair) return <OnPhone pair={pair}>{thread}</OnPhone>;
  return (
    <Page title="Conversations" description="Messages from people to your numbers." actions={create}>
      <div className={classes['inbox']}>
        <ConversationList pair={pair} />
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

/** On a phone a conversation is a page of its own, titled by the person. */
function OnPhone({ pair, children }: { pair: Pair; children: ReactNode }) {
  const { name } = usePerson(pair);
  const say = usePhoneFormat();
  return (
    <Page title={name || say(pair.person)} trail={[{ title: 'Conversations', href: '/conversations' }]}>
      <div className={classes['inbox']}>{children}</div>
    </Page>
  );
}
