import { Button, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { call, type Schema, sayProblem, useOne } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { TryFlow } from './try-flow.tsx';

type Flow = Schema<'Flow'>;

/** The screens, if they are kept here; else the platform's own preview. */
export function FlowPreview({ flow }: { flow: Flow }) {
  const { find, isLoading } = useSenders();
  if (isLoading) return null;
  if (find(flow.chatapp_number)?.carrier === 'sandbox' && flow.flow_id)
    return <OnSandbox name={flow.name} flowId={flow.flow_id} />;
  return <AtPlatform flow={flow} />;
}

function OnSandbox({ name, flowId }: { name: string; flowId: string }) {
  const { data, error } = useOne('/v2/sandbox/flows/{flow_id}/', { flow_id: flowId });
  if (error)
    return (
      <Section title="Preview">
        <Text size="sm">{sayProblem(error)}</Text>
      </Section>
    );
  return <TryFlow name={name} definition={data?.definition} />;
}

function AtPlatform({ flow }: { flow: Flow }) {
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  const [pending, setPending] = useState(false);
  const ask = async () => {
    setPending(true);
    setProblem('');
    try {
      const { preview_url } = await call('get', '/v2/chatapp/flows/{uuid}/preview/', { params: { uuid: flow.uuid } });
      setLink(preview_url);
    } catch (error) {
      setProblem(sayProblem(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Section title="Preview" description="The platform shows the flow on a page of its own, to whoever has the link.">
      <Stack align="flex-start">
        {link ? (
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} />}
          >
            Open the preview
          </Button>
        ) : (
          <Button variant="default" loading={pending} onClick={() => void ask()}>
            Get a link
          </Button>
        )}
        {problem && (
          <Text size="sm" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
