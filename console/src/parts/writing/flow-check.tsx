import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type List, type Schema, useOne } from '../../api/index.ts';

interface FlowCheckProps {
  flows: List<Schema<'Flow'>>;
  /** As the form names it: by one of the two. */
  name: string;
  id: string;
}

/** What people will meet who open this flow, if that is not what was meant. */
export function FlowCheck({ flows, name, id }: FlowCheckProps) {
  const asked = id || name;
  const meant = flows.rows.filter((flow) => (id ? flow.flow_id === id : flow.name === name));
  const flow = meant.find(({ status }) => status === 'PUBLISHED') ?? meant[0];
  const { data } = useOne('/v2/chatapp/flows/{uuid}/', { uuid: flow?.uuid ?? '' }, {}, { enabled: flow !== undefined });
  // A placeholder may become any name, and a list that is not here whole may have it further down.
  if (asked === '' || asked.includes('{{') || flows.isLoading || flows.error || (!flow && flows.hasMore)) return null;
  const trouble = flow
    ? troubleOf(flow, data?.definition)
    : 'This number has no such flow: WhatsApp refuses the message.';
  if (!trouble) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} py="xs">
      {trouble}{' '}
      {flow && (
        <Anchor component={Link} href={`/flows/${flow.uuid}`} inherit>
          Open the flow
        </Anchor>
      )}
    </Alert>
  );
}

function troubleOf({ status }: Schema<'Flow'>, definition: object | null | undefined): string | undefined {
  const { screens } = (definition ?? {}) as { screens?: unknown };
  // What was drawn on the platform has its screens there.
  const isEmpty = definition === null ? status === 'DRAFT' : Array.isArray(screens) && screens.length === 0;
  if (isEmpty) return 'This flow has no screens: there is nothing to fill in, and WhatsApp refuses the message.';
  if (status !== 'PUBLISHED') return 'This flow is not published: WhatsApp refuses the message.';
  return undefined;
}
