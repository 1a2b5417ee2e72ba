/**
 * What the help consists of: sections, and the documents in each, in reading order. `folder/*` stands for the documents of a folder
 * that are not named, by their file names. Tutorials and the API reference are made from the examples and the OpenAPI document.
 */
export interface Section {
  title: string;
  documents: string[];
}

export const sections: Section[] = [
  { title: 'Start here', documents: ['features', 'demo', 'sandbox', 'going-live', 'glossary'] },
  { title: 'Tutorials', documents: [] },
  {
    title: 'Guides',
    documents: [
      'messages',
      'templates',
      'media',
      'flows',
      'intros',
      'sms',
      'numbers',
      'phone-numbers',
      'voice',
      'audio',
      'routing',
      'campaigns',
      'contacts',
      'lists',
      'reports',
      'people',
      'webhooks',
      'jobs',
      'safeguards',
      'accounts',
      'sign-in',
      'single-sign-on',
      'scim',
      'tenants',
      'console',
    ],
  },
  { title: 'Carriers', documents: ['cloud-api', 'smpp', 'asterisk', 'cloud-simulator', 'smsc-simulator'] },
  { title: 'Move to Parley', documents: ['migrate/*'] },
  {
    title: 'Operations',
    documents: [
      'configuration',
      'command-line',
      'assistants',
      'operations/*',
      'outages',
      'security',
      'performance',
      'scale',
    ],
  },
  { title: 'API reference', documents: ['concurrent-edits', 'errors'] },
  { title: 'Design', documents: ['architecture', 'decisions/*'] },
];
