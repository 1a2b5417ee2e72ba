import { Select, Textarea, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm, Page, Section } from '../../parts/index.ts';
import { channels } from '../../parts/opt-outs/words.ts';

/** Opts somebody out who said so in another way. */
export function NewOptOut() {
  const [, navigate] = useLocation();
  const number = new URLSearchParams(location.search).get('number') ?? '';
  return (
    <Page
      title="Add an opt-out"
      description="For people who opted out by phone, by letter or in person."
      trail={[{ title: 'Opt-outs', href: '/opt-outs' }]}
    >
      <Section>
        <ApiForm
          initialValues={{ phone_number: number, channel: 'ALL' as Schema<'OptOutChannel'>, text: '' }}
          submit={(body) => call('post', '/v2/opt-outs/', { body })}
          button="Opt out"
          done="Opted out."
          invalidates={['/v2/opt-out']}
          onDone={(row) => navigate(`/opt-outs/${row.uuid}`)}
          onCancel={() => navigate('/opt-outs')}
        >
          {(form) => (
            <>
              <TextInput label="Phone number" type="tel" required {...form.getInputProps('phone_number')} />
              <Select label="Out of" data={channels} allowDeselect={false} {...form.getInputProps('channel')} />
              <Textarea
                label="Proof"
                description="What the person said or did, and when. Stored with the opt-out."
                autosize
                minRows={3}
                maxLength={1000}
                {...form.getInputProps('text')}
              />
            </>
          )}
        </ApiForm>
      </Section>
    </Page>
  );
}
