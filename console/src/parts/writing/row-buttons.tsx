import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

/** Adds a row to the fields above. */
export const AddRow = (props: { disabled?: boolean; onClick(): void; children: string }) => (
  <div>
    <Button variant="default" size="xs" leftSection={<IconPlus size={15} />} {...props} />
  </div>
);

/** Takes a row away; it stands beside inputs that have labels. */
export const RemoveRow = ({ what, ...props }: { what: string; disabled?: boolean; onClick(): void }) => (
  <ActionIcon mt={27} variant="subtle" color="gray" size="lg" aria-label={`Remove ${what}`} {...props}>
    <IconTrash size={17} />
  </ActionIcon>
);
