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
import Agents from './areas/agents/index.tsx';
import Audio from './areas/audio/index.tsx';
import Calls from './areas/calls/index.tsx';
import Campaigns from './areas/campaigns/index.tsx';
import Contacts from './areas/contacts/index.tsx';
import Deliveries from './areas/deliveries/index.tsx';
import Flows from './areas/flows/index.tsx';
import Insights from './areas/insights/index.tsx';
import Intros from './areas/intros/index.tsx';
import Jobs from './areas/jobs/index.tsx';
import Leads from './areas/leads/index.tsx';
import Lists from './areas/lists/index.tsx';
import Media from './areas/media/index.tsx';
import Messages from './areas/messages/index.tsx';
import Numbers from './areas/numbers/index.tsx';
import OptOuts from './areas/opt-outs/index.tsx';
import People from './areas/people/index.tsx';
import Phone from './areas/phone/index.tsx';
import Reports from './areas/reports/index.tsx';
import Routing from './areas/routing/index.tsx';
import Settings from './areas/settings/index.tsx';
import Sms from './areas/sms/index.tsx';
import Templates from './areas/templates/index.tsx';
import Webhooks from './areas/webhooks/index.tsx';
import { lazily } from './parts/loading/lazily.ts';

export interface Area {
  /** Under `/console`. The area answers all addresses that begin with it. */
  path: string;
  title: string;
  group: Group;
  icon: Icon;
  /** Its page, or the pages by their addresses; each loads its code when it is first shown. */
  Component: ComponentType;
  /** Loads the code of its first page ahead of time. */
  load: () => Promise<object>;
  /** In the menu of whoever is signed in, and not in the navigation. */
  isPersonal?: boolean;
  /** A page of its own, without navigation and header. */
  bare?: boolean;
}

export const groups = ['', 'Chat', 'Voice & SMS', 'Audience', 'System', 'Tools'] as const;
export type Group = (typeof groups)[number];

/** With `null` for its pages, an area is one page: what is exported by the file that `load` loads. */
function area(
  path: string,
  title: string,
  group: Group,
  icon: Icon,
  pages: ComponentType | null,
  load: Area['load'],
  more: Partial<Area> = {},
): Area {
  const Component = pages ?? lazily(load as () => Promise<{ default: ComponentType }>);
  return { path, title, group, icon, load, Component, ...more };
}

/** Every area of the console, in the order of the navigation. */
export const areas: Area[] = [
  area('/', 'Overview', '', IconLayoutDashboard, null, () => import('./areas/overview/index.tsx')),
  area('/reports', 'Reports', '', IconReportAnalytics, Reports, () => import('./areas/reports/report.tsx')),
  area('/intros', 'Intros', 'Chat', IconArrowsSplit2, Intros, () => import('./areas/intros/list.tsx')),
  area('/conversations', 'Conversations', 'Chat', IconMessages, null, () => import('./areas/conversations/index.tsx')),
  area('/messages', 'Messages', 'Chat', IconMessage, Messages, () => import('./areas/messages/list.tsx')),
  area('/templates', 'Templates', 'Chat', IconTemplate, Templates, () => import('./areas/templates/list.tsx')),
  area('/flows', 'Flows', 'Chat', IconForms, Flows, () => import('./areas/flows/list.tsx')),
  area('/media', 'Media', 'Chat', IconPhoto, Media, () => import('./areas/media/list.tsx')),
  area('/leads', 'Leads', 'Chat', IconUserCheck, Leads, () => import('./areas/leads/list.tsx')),
  area('/numbers', 'Numbers', 'Voice & SMS', IconHash, Numbers, () => import('./areas/numbers/list.tsx')),
  area('/calls', 'Calls', 'Voice & SMS', IconPhone, Calls, () => import('./areas/calls/list.tsx')),
  area('/sms', 'SMS', 'Voice & SMS', IconBuildingBroadcastTower, Sms, () => import('./areas/sms/list.tsx')),
  area('/routing', 'Routing', 'Voice & SMS', IconHierarchy, Routing, () => import('./areas/routing/list.tsx')),
  area('/agents', 'Agents', 'Voice & SMS', IconHeadset, Agents, () => import('./areas/agents/list.tsx')),
  area('/audio', 'Audio', 'Voice & SMS', IconMicrophone, Audio, () => import('./areas/audio/list.tsx')),
  area(
    '/insights',
    'Insights',
    'Voice & SMS',
    IconChartHistogram,
    Insights,
    () => import('./areas/insights/figures.tsx'),
  ),
  area('/campaigns', 'Campaigns', 'Audience', IconSpeakerphone, Campaigns, () => import('./areas/campaigns/list.tsx')),
  area('/contacts', 'Contacts', 'Audience', IconAddressBook, Contacts, () => import('./areas/contacts/list.tsx')),
  area('/lists', 'Lists', 'Audience', IconListDetails, Lists, () => import('./areas/lists/list.tsx')),
  area('/people', 'People', 'Audience', IconUserSearch, People, () => import('./areas/people/find.tsx')),
  area('/opt-outs', 'Opt-outs', 'Audience', IconBan, OptOuts, () => import('./areas/opt-outs/list.tsx')),
  area('/jobs', 'Jobs', 'System', IconProgressCheck, Jobs, () => import('./areas/jobs/list.tsx')),
  area('/webhooks', 'Webhooks', 'System', IconWebhook, Webhooks, () => import('./areas/webhooks/list.tsx')),
  area('/deliveries', 'Deliveries', 'System', IconSend, Deliveries, () => import('./areas/deliveries/list.tsx')),
  area('/settings', 'Settings', 'System', IconAdjustments, Settings, () => import('./areas/settings/account.tsx')),
  area('/profile', 'Profile', '', IconUserCircle, null, () => import('./areas/profile/index.tsx'), {
    isPersonal: true,
  }),
  area('/phone', 'Phone simulator', 'Tools', IconDeviceMobile, Phone, () => import('./areas/phone/phones.tsx'), {
    bare: true,
  }),
];

/** The area that answers for this address. */
export const areaOf = (location: string): Area | undefined =>
  areas.find(({ path }) => location === path || (path !== '/' && location.startsWith(`${path}/`)));
