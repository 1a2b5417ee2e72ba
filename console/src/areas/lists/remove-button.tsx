import { ActionIcon } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';
import { confirm } from '../../parts/index.ts';

/** Takes one person off a list. */
export function RemoveButton({ list, contact, name }: { list: string; contact: string; name: string }) {
  const remove = useAct('delete', '/v2/lists/{uuid}/contacts/', {
    invalidates: ['/v2/lists/', '/v2/contacts/'],
    done: `${name} was removed from the list.`,
  });
  const ask = async () => {
    const question = { title: `Remove ${name} from the list?`, text: 'The contact itself is kept.', button: 'Remove' };
    if (await confirm(question)) remove.mutate({ params: { uuid: list }, body: { contacts: [contact] } });
  };
  if (!remove.may) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={remove.isPending}
      aria-label={`Remove ${name} from the list`}
      title="Remove from the list"
      onClick={() => void ask()}
    >
      <IconUserMinus size={17} />
    </ActionIcon>
  );
}
