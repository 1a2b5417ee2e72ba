import { Anchor, Collapse, JsonInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useHere } from '../../../parts/account.tsx';
import type { FormProps } from '../../../parts/messages/form-props.ts';

/** What a message may have besides its content; folded away, as most have none of it. */
export function OptionFields({ form }: FormProps) {
  const { timeZone } = useHere();
  const { context, meta_data } = form.values;
  const [open, { toggle }] = useDisclosure(context !== '' || meta_data !== '');
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Anchor component="button" type="button" size="sm" ta="start" aria-expanded={open} onClick={toggle}>
        <Chevron size={14} aria-hidden /> More: schedule, answer, meta data, callback
      </Anchor>
      <Collapse expanded={open}>
        <Stack mt="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              type="datetime-local"
              label="Send at"
              description={`Not before this moment, in ${timeZone}; empty: at once.`}
              {...form.getInputProps('send_at')}
            />
            {form.values.type !== 'REACTION' && (
              <TextInput
                label="In answer to"
                description="The id of a message of this conversation; shown as a quote."
                {...form.getInputProps('context')}
              />
            )}
          </SimpleGrid>
          <TextInput
            label="Callback address"
            description="Each step of this message is told there, signed like a webhook."
            placeholder="https://…"
            {...form.getInputProps('callback_url')}
          />
          <JsonInput
            label="Meta data"
            description="An object of your own, returned with the message."
            placeholder='{"order": 7}'
            autosize
            minRows={2}
            {...form.getInputProps('meta_data')}
          />
        </Stack>
      </Collapse>
    </div>
  );
}
