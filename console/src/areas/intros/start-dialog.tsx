import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { ApiProblem, call } from '../../api/index.ts';
import { ApiForm } from '../../parts/index.ts';
import { formOf, type Intro } from '../../parts/intros/form.ts';
import { namesIn } from '../../parts/writing/index.ts';
import { textsOf } from './editor/texts.ts';

interface StartDialogProps {
  intro: Intro;
  opened: boolean;
  onClose(): void;
}

const known = /^(reference_id|chat_link|intro_chat_.*|APartyData.*|button_.*|list_.*)$/;

/** Introduces somebody who has not written: the agent is notified as if they had. */
export function StartDialog({ intro, opened, onClose }: StartDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Start for a lead" size="md">
      <StartForm intro={intro} onClose={onClose} />
    </Modal>
  );
}

function StartForm({ intro, onClose }: Pick<StartDialogProps, 'intro' | 'onClose'>) {
  const [, navigate] = useLocation();
  const names = namesIn(textsOf(formOf(intro))).filter((name) => !known.test(name));
  const initialValues = { aparty_number: '', aparty_name: '', values: names.map(() => '') };
  const submit = async ({ aparty_number, aparty_name, values }: typeof initialValues) => {
    const given = names.flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : []));
    const body = { aparty_number, ...(aparty_name && { aparty_name }), variables: Object.fromEntries(given) };
    try {
      return await call('post', '/v2/chatapp/chat-intros/{uuid}/start/', { params: { uuid: intro.uuid }, body });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const moved = Object.entries(error.fields).map(([path, text]) => {
        const index = names.indexOf(path.replace(/^variables\./, ''));
        return [index < 0 ? path : `values.${index}`, [text]];
      });
      throw moved.length > 0 ? new ApiProblem(error.status, Object.fromEntries(moved), error.requestId) : error;
    }
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        For a lead who left a number elsewhere. Outside the 24-hour window, only templates are sent.
      </Text>
      <ApiForm
        initialValues={initialValues}
        submit={submit}
        button="Start"
        done="Started."
        invalidates={['/v2/chatapp/chat-intros/']}
        onDone={({ uuid }) => {
          onClose();
          navigate(`/intros/${intro.uuid}/sessions/${uuid}`);
        }}
        onCancel={onClose}
      >
        {(form) => (
          <Stack>
            <TextInput
              label="Lead’s number"
              placeholder="+44…"
              type="tel"
              required
              data-autofocus
              {...form.getInputProps('aparty_number')}
            />
            <TextInput label="Name" maxLength={255} {...form.getInputProps('aparty_name')} />
            {names.map((name, index) => (
              <TextInput
                key={name}
                label={name}
                placeholder={intro.extra_variable_data[name] || 'no value'}
                {...form.getInputProps(`values.${index}`)}
              />
            ))}
          </Stack>
        )}
      </ApiForm>
    </>
  );
}
