import {
  type Icon,
  IconAddressBook,
  IconAdjustments,
  IconArrowsSplit2,
  IconBan,
  IconBuildingBroadcastTower,
  IconChartHistogram,
  IconDeviceMobile,
  IconForms,
  IconHash,
  IconHeadset,
  IconHierarchy,
  IconLayoutDashboard,
  IconListDetails,
  IconMessage,
  IconMessages,
  IconMicrophone,
  IconPhone,
  IconPhoto,
  IconProgressCheck,
  IconReportAnalytics,
  IconSend,
  IconSpeakerphone,
  IconTemplate,
  IconUserCheck,
  IconUserCircle,
  IconUserSearch,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { lazily } from './parts/loading/lazily.ts';

export interface Area {
  /** Under `/console`. The area answers all addresses that begin with it. */
  path: string;
  title: string;
  group: Group;
  icon: Icon;
  /** Its component, loaded when it is first shown. */
  Component: ComponentType;
  /** Loads its code ahead of time. */
  load: () => Promise<{ default: ComponentType }>;
  /** In the menu of whoever is signed in, and not in the navigation. */
  isPersonal?: boolean;
  /** A page of its own, without navigation and header. */
  bare?: boolean;
}

export const groups = ['', 'Chat', 'Voice & SMS', 'Audience', 'System', 'Tools'] as const;
export type Group = (typeof groups)[number];

function area(
  path: string,
  title: string,
  group: Group,
  icon: Icon,
  load: Area['load'],
  more: Partial<Area> = {},
): Area {
  return { path, title, group, icon, load, Component: lazily(load), ...more };
}

/** Every area of the console, in the order of the navigation. */
export const areas: Area[] = [
  area('/', 'Overview', '', IconLayoutDashboard, () => import('./areas/overview/index.tsx')),
  area('/reports', 'Reports', '', IconReportAnalytics, () => import('./areas/reports/index.tsx')),
  area('/intros', 'Intros', 'Chat', IconArrowsSplit2, () => import('./areas/intros/index.tsx')),
  area('/conversations', 'Conversations', 'Chat', IconMessages, () => import('./areas/conversations/index.tsx')),
  area('/messages', 'Messages', 'Chat', IconMessage, () => import('./areas/messages/index.tsx')),
  area('/templates', 'Templates', 'Chat', IconTemplate, () => import('./areas/templates/index.tsx')),
  area('/flows', 'Flows', 'Chat', IconForms, () => import('./areas/flows/index.tsx')),
  area('/media', 'Media', 'Chat', IconPhoto, () => import('./areas/media/index.tsx')),
  area('/leads', 'Leads', 'Chat', IconUserCheck, () => import('./areas/leads/index.tsx')),
  area('/numbers', 'Numbers', 'Voice & SMS', IconHash, () => import('./areas/numbers/index.tsx')),
  area('/calls', 'Calls', 'Voice & SMS', IconPhone, () => import('./areas/calls/index.tsx')),
  area('/sms', 'SMS', 'Voice & SMS', IconBuildingBroadcastTower, () => import('./areas/sms/index.tsx')),
  area('/routing', 'Routing', 'Voice & SMS', IconHierarchy, () => import('./areas/routing/index.tsx')),
  area('/agents', 'Agents', 'Voice & SMS', IconHeadset, () => import('./areas/agents/index.tsx')),
  area('/audio', 'Audio', 'Voice & SMS', IconMicrophone, () => import('./areas/audio/index.tsx')),
  area('/insights', 'Insights', 'Voice & SMS', IconChartHistogram, () => import('./areas/insights/index.tsx')),
  area('/campaigns', 'Campaigns', 'Audience', IconSpeakerphone, () => import('./areas/campaigns/index.tsx')),
  area('/contacts', 'Contacts', 'Audience', IconAddressBook, () => import('./areas/contacts/index.tsx')),
  area('/lists', 'Lists', 'Audience', IconListDetails, () => import('./areas/lists/index.tsx')),
  area('/people', 'People', 'Audience', IconUserSearch, () => import('./areas/people/index.tsx')),
  area('/opt-outs', 'Opt-outs', 'Audience', IconBan, () => import('./areas/opt-outs/index.tsx')),
  area('/jobs', 'Jobs', 'System', IconProgressCheck, () => import('./areas/jobs/index.tsx')),
  area('/webhooks', 'Webhooks', 'System', IconWebhook, () => import('./areas/webhooks/index.tsx')),
  area('/deliveries', 'Deliveries', 'System', IconSend, () => import('./areas/deliveries/index.tsx')),
  area('/settings', 'Settings', 'System', IconAdjustments, () => import('./areas/settings/index.tsx')),
  area('/profile', 'Profile', '', IconUserCircle, () => import('./areas/profile/index.tsx'), { isPersonal: true }),
  area('/phone', 'Phone simulator', 'Tools', IconDeviceMobile, () => import('./areas/phone/index.tsx'), { bare: true }),
];

/** The area that answers for this address. */
export const areaOf = (location: string): Area | undefined =>
  areas.find(({ path }) => location === path || (path !== '/' && location.startsWith(`${path}/`)));
