import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

/** Adds a row to the fields above. */
export const AddRow = (props: { disabled?: boolean; onClick(): void; children: string }) => (
  <div>
    <Button variant="default" size="xs" leftSection={<IconPlus size={15} />} {...props} />
  </div>
);

interface RemoveRowProps {
  /** `condition 2` */
  what: string;
  /** It stands beside inputs that have labels. */
  labelled?: boolean;
  disabled?: boolean;
  onClick(): void;
}

/** Takes a row away. */
export const RemoveRow = ({ what, labelled = false, ...props }: RemoveRowProps) => (
  <ActionIcon
    mt={labelled ? 27 : 0}
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={`Remove ${what}`}
    style={{ flexShrink: 0 }}
    {...props}
  >
    <IconTrash size={17} />
  </ActionIcon>
);
