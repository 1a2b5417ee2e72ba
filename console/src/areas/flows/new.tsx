import { useLocation } from 'wouter';
import { call } from '../../api/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { FlowForm, type FlowValues, sendFlow } from './form.tsx';

/** A new flow: its screens are drawn or written, and tried beside that. */
export function NewFlow() {
  const [, navigate] = useLocation();
  const { options, isLoading } = useSenders();
  if (isLoading) return null;
  const initial: FlowValues = {
    chatapp_number: options[0]?.value ?? '',
    name: '',
    category: 'OTHER',
    definition: '',
    publish: false,
  };
  return (
    <FlowForm
      title="New flow"
      trail={[{ title: 'Flows', href: '/flows' }]}
      description="Without screens it is an empty draft, to be drawn later, here or in the platform's own editor."
      initial={initial}
      draft="flow:new"
      submit={(values) => {
        const { chatapp_number, name, category, publish } = values;
        const status = publish ? ('PUBLISHED' as const) : ('DRAFT' as const);
        return sendFlow(values, (definition) =>
          call('post', '/v2/chatapp/flows/', {
            body: { chatapp_number, name, category, ...(definition && { definition }), status },
          }),
        );
      }}
      button="Create"
      done="Created."
      onDone={({ uuid }) => navigate(`/flows/${uuid}`)}
      onCancel={() => navigate('/flows')}
    />
  );
}
