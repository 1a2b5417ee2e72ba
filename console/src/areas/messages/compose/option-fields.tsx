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
        <Chevron size={14} aria-hidden /> More options
      </Anchor>
      <Collapse expanded={open}>
        <Stack mt="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              type="datetime-local"
              label="Send at"
              description={`In ${timeZone}; leave empty to send now.`}
              {...form.getInputProps('send_at')}
            />
            {form.values.type !== 'REACTION' && (
              <TextInput
                label="Reply to"
                description="ID of a message in this conversation, shown as a quote."
                {...form.getInputProps('context')}
              />
            )}
          </SimpleGrid>
          <TextInput
            label="Callback URL"
            description="Receives a signed event for each status change."
            placeholder="https://…"
            {...form.getInputProps('callback_url')}
          />
          <JsonInput
            label="Metadata"
            description="Your own JSON object, returned with the message."
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
