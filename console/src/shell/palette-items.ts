import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { serverUrl } from '../api/client.ts';
import { useOne } from '../api/hooks.ts';
import { signOut } from '../api/session.ts';
import { areas } from '../areas.ts';
import { useMaySee } from '../parts/may.tsx';

export interface Item {
  group: string;
  label: string;
  detail?: string;
  act(): void;
}

const most = 5;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const phone = /^\+?[\d\s().-]{5,}$/;

const forms: [label: string, address: string][] = [
  ['New campaign', '/campaigns/new'],
  ['New intro', '/intros/new'],
  ['New message', '/messages/new'],
  ['New contact', '/contacts/new'],
  ['New list', '/lists/new'],
  ['New template', '/templates/new'],
  ['New routing', '/routing/new'],
  ['New agent', '/agents/new'],
  ['New token', '/settings/tokens/new'],
  ['Upload contacts', '/contacts/upload'],
  ['Buy a number', '/numbers/buy'],
];

/** Whether every word of what is sought begins a word of the text. */
function fits(text: string, sought: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** What is found for a text: pages and actions at once, and of the account what one may see. */
export function useItems(typed: string, sought: string): { items: Item[]; isLoading: boolean } {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const maySee = useMaySee();
  const go = (address: string) => () => navigate(address);
  const leave = (address: string) => () => window.location.assign(`${serverUrl}${address}`);

  const pages: Item[] = areas
    .filter(({ path, title }) => maySee(path) && fits(title, typed))
    .map(({ path, title }) => ({ group: 'Pages', label: title, act: go(path) }));
  const actions: Item[] = [
    ...forms.filter(([, address]) => maySee(address)).map(([label, address]) => ({ label, act: go(address) })),
    { label: 'Dark theme', act: () => setColorScheme('dark') },
    { label: 'Light theme', act: () => setColorScheme('light') },
    { label: 'System theme', act: () => setColorScheme('auto') },
    { label: 'Help', act: leave('/help/') },
    { label: 'API reference', act: leave('/docs') },
    { label: 'Sign out', act: () => void signOut(client) },
  ]
    .filter(({ label }) => fits(label, typed))
    .map((action) => ({ group: 'Actions', ...action }));

  const isId = uuid.test(sought);
  const asks = (address: string) => ({ enabled: sought.length >= 2 && !isId && maySee(address) });
  const page = { page_size: most };
  const contacts = useOne('/v2/contacts/', {}, { search: sought, ...page }, asks('/contacts'));
  const numbers = useOne('/v2/number/', {}, { search: sought, ...page }, asks('/numbers'));
  const intros = useOne('/v2/chatapp/chat-intros/', {}, { search: sought, ...page }, asks('/intros'));
  const campaigns = useOne('/v2/campaigns/', {}, { search: sought, ...page }, asks('/campaigns'));
  const asksId = { enabled: isId && maySee('/messages') };
  const message = useOne('/v2/chatapp/messages/{uuid}/', { uuid: sought.toLowerCase() }, {}, asksId);

  const found: Item[] = [
    ...(phone.test(sought) && maySee('/people')
      ? [
          {
            group: 'People',
            label: sought,
            detail: 'Everything about this number',
            act: go(`/people/${encodeURIComponent(sought)}`),
          },
        ]
      : []),
    ...(contacts.data?.results ?? []).map((row) => ({
      group: 'Contacts',
      label: row.name || row.phone_number,
      ...(row.name && { detail: row.phone_number }),
      act: go(`/contacts/${row.uuid}`),
    })),
    ...(numbers.data?.results ?? []).map((row) => ({
      group: 'Numbers',
      label: row.number,
      act: go(`/numbers/${encodeURIComponent(row.number)}`),
    })),
    ...(intros.data?.results ?? []).map((row) => ({
      group: 'Intros',
      label: row.reference_id || row.expected_message_template || row.chat_link,
      act: go(`/intros/${row.uuid}`),
    })),
    ...(campaigns.data?.results ?? []).map((row) => ({
      group: 'Campaigns',
      label: row.name,
      act: go(`/campaigns/${row.uuid}`),
    })),
    ...(message.data
      ? [
          {
            group: 'Messages',
            label: message.data.uuid,
            detail: message.data.status,
            act: go(`/messages/${message.data.uuid}`),
          },
        ]
      : []),
  ];
  const isLoading =
    [contacts, numbers, intros, campaigns, message].some((query) => query.isFetching) || typed !== sought;
  return { items: [...pages, ...actions, ...(typed === sought ? found : [])], isLoading };
}
