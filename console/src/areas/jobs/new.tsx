import { Anchor, Select, Stack, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { Page, Section, useFilters } from '../../parts/index.ts';
import { jobTypes } from '../../parts/jobs/words.ts';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';

const { ExportCalls, ExportContacts, ExportLaunch } = pagesOf(() => import('./form-exports.tsx'));
const { BuyNumbers } = pagesOf(() => import('./form-numbers.tsx'));
const { ImportOptOuts } = pagesOf(() => import('./form-opt-outs.tsx'));
const { SendSms } = pagesOf(() => import('./form-sms.tsx'));

const forms: Partial<Record<keyof typeof jobTypes, ComponentType>> = {
  'sms.send': SendSms,
  'numbers.create': BuyNumbers,
  'opt_outs.import': ImportOptOuts,
  'contacts.export': ExportContacts,
  'cdr.export': ExportCalls,
  'campaign_logs.export': ExportLaunch,
};
type Type = keyof typeof forms;

/** Submits a job of one of the types that a form can hold. */
export function NewJob() {
  const filters = useFilters([]);
  const type = (filters.get('type') in forms ? filters.get('type') : 'sms.send') as Type;
  const Form = forms[type];
  return (
    <Page
      title="New job"
      description="Jobs are validated first and then run in the background."
      trail={[{ title: 'Jobs', href: '/jobs' }]}
    >
      <Stack>
        <Section>
          <Select
            label="Job type"
            data={Object.keys(forms).map((value) => ({ value, label: jobTypes[value as Type] }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => filters.set('type', value ?? '')}
            maw="24rem"
          />
          <Text size="sm" c="dimmed" mt="sm">
            To upload files:{' '}
            <Anchor underline="always" component={Link} href="/contacts/upload" size="sm">
              upload contacts
            </Anchor>
            ,{' '}
            <Anchor underline="always" component={Link} href="/opt-outs/upload" size="sm">
              upload opt-outs
            </Anchor>
            . Chat messages to many are{' '}
            <Anchor underline="always" component={Link} href="/campaigns/new" size="sm">
              a campaign
            </Anchor>
            .
          </Text>
        </Section>
        {Form && (
          <Section title={jobTypes[type]}>
            <Later>
              <Form key={type} />
            </Later>
          </Section>
        )}
      </Stack>
    </Page>
  );
}
