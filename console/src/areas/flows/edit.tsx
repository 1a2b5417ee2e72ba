import { Alert } from '@mantine/core';
import { Redirect, useLocation } from 'wouter';
import { call, type Schema, useOne } from '../../api/index.ts';
import { editing, Loaded } from '../../parts/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { FlowForm, flowValues, sendFlow } from './form.tsx';

/** Changes a draft; what was published stays as it is. */
export function EditFlow({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/flows/{uuid}/', { uuid });
  const { isLoading } = useSenders();
  if (isLoading) return null;
  return (
    <Loaded query={query} what="flow">
      {(flow) =>
        flow.status === 'DRAFT' && flow.wanted_status === null ? (
          <Form flow={flow} />
        ) : (
          <Redirect to={`/flows/${uuid}`} replace />
        )
      }
    </Loaded>
  );
}

function Form({ flow }: { flow: Schema<'FlowDetail'> }) {
  const [, navigate] = useLocation();
  const { uuid, name } = flow;
  const back = () => navigate(`/flows/${uuid}`);
  return (
    <FlowForm
      title={`Edit ${name}`}
      trail={[
        { title: 'Flows', href: '/flows' },
        { title: name, href: `/flows/${uuid}` },
      ]}
      description="A draft can be changed until it is published."
      initial={flowValues(flow)}
      isStored
      note={
        flow.definition === null &&
        flow.flow_id !== null && (
          <Alert color="blue">
            No screens are kept here. If this flow was drawn in the platform's own editor, what you draw here replaces
            it.
          </Alert>
        )
      }
      edits={editing(flow, '/v2/chatapp/flows/{uuid}/', { uuid }, flowValues)}
      draft={`flow:${uuid}`}
      submit={(values, ifMatch) =>
        sendFlow(values, (definition) =>
          call('patch', '/v2/chatapp/flows/{uuid}/', {
            params: { uuid },
            body: {
              name: values.name,
              category: values.category,
              ...(definition && { definition }),
              ...(values.publish && { status: 'PUBLISHED' as const }),
            },
            ifMatch,
          }),
        )
      }
      button="Save"
      done="Saved."
      onDone={back}
      onCancel={back}
    />
  );
}
