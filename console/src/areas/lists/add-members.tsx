import { Modal, Tabs, Textarea } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';
import { ApiForm } from '../../parts/index.ts';
import { PickContacts } from './pick-contacts.tsx';

interface AddMembersProps {
  uuid: string;
  opened: boolean;
  onClose(): void;
}

const touched = ['/v2/lists/', '/v2/contacts/'];

/** Puts people on a list: contacts, or numbers that may be nobody's yet. */
export function AddMembers({ uuid, opened, onClose }: AddMembersProps) {
  const add = (body: Schema<'ListMembers'>) => call('post', '/v2/lists/{uuid}/contacts/', { params: { uuid }, body });
  const done = ({ added, created }: Schema<'ListMembersAdded'>) => {
    const people = `${added} ${added === 1 ? 'person' : 'people'} joined`;
    notifications.show({ message: created > 0 ? `${people}, ${created} of them new contacts.` : `${people}.` });
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Add contacts" size="lg">
      <Tabs defaultValue="contacts" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="contacts">Contacts</Tabs.Tab>
          <Tabs.Tab value="numbers">Numbers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="contacts">
          <ApiForm
            initialValues={{ contacts: [] as string[] }}
            submit={({ contacts }) => add({ contacts })}
            validate={{ contacts: (chosen: string[]) => (chosen.length === 0 ? 'Select at least one contact.' : null) }}
            button="Add"
            invalidates={touched}
            onDone={done}
            onCancel={onClose}
          >
            {(form) => <PickContacts {...form.getInputProps('contacts')} />}
          </ApiForm>
        </Tabs.Panel>
        <Tabs.Panel value="numbers">
          <ApiForm
            initialValues={{ phone_numbers: '' }}
            submit={({ phone_numbers }) => add({ phone_numbers: linesOf(phone_numbers) })}
            validate={{
              phone_numbers: (text: string) => (linesOf(text).length === 0 ? 'Enter at least one number.' : null),
            }}
            button="Add"
            invalidates={touched}
            onDone={done}
            onCancel={onClose}
          >
            {(form) => (
              <Textarea
                label="Phone numbers"
                description="One per line, up to 1,000. New numbers become contacts."
                autosize
                minRows={5}
                maxRows={14}
                required
                {...form.getInputProps('phone_numbers')}
              />
            )}
          </ApiForm>
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
