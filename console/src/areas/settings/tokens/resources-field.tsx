import { mayCall, useList } from '../../../api/index.ts';
import { ListField } from '../../../parts/fields/list-field.tsx';

/** Binds a token to some numbers; those of the account are offered. */
export function ResourcesField({ form }: Pick<Parameters<typeof ListField>[0], 'form'>) {
  const options = (path: '/v2/chatapp/accounts/' | '/v2/number/') => ({ pageSize: 200, enabled: mayCall('get', path) });
  const accounts = useList('/v2/chatapp/accounts/', undefined, options('/v2/chatapp/accounts/'));
  const numbers = useList('/v2/number/', undefined, options('/v2/number/'));
  const known = [...accounts.rows.map((row) => row.chatapp_number), ...numbers.rows.map((row) => row.number)];
  return (
    <ListField
      form={form}
      path="resources"
      label="Only for these numbers"
      description="Of chat-app accounts, or numbers that you bought. Empty: it is bound to none."
      data={[...new Set(known)]}
      maxTags={100}
      maw="36rem"
    />
  );
}
