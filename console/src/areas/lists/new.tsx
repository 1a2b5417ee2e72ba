import { Textarea, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../../api/index.ts';
import { ApiForm, Page, Section } from '../../parts/index.ts';

/** Makes a list. */
export function NewList() {
  const [, navigate] = useLocation();
  return (
    <Page title="New list" trail={[{ title: 'Lists', href: '/lists' }]}>
      <Section>
        <ApiForm
          initialValues={{ name: '', description: '' }}
          submit={(body) => call('post', '/v2/lists/', { body })}
          button="Create"
          done="Created."
          invalidates={['/v2/lists/']}
          onDone={(list) => navigate(`/lists/${list.uuid}`)}
          onCancel={() => navigate('/lists')}
        >
          {(form) => (
            <>
              <TextInput label="Name" required {...form.getInputProps('name')} />
              <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
            </>
          )}
        </ApiForm>
      </Section>
    </Page>
  );
}
