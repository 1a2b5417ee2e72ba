import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useOne } from '../../api/index.ts';
import { Loaded, Page, RemoveButton, Status } from '../../parts/index.ts';
import { Explain } from './explain.tsx';
import { RoutingForm, type RoutingFormProps } from './form.tsx';
import { type ConfigValues, configValues, emptyRoute } from './values.ts';
import { channelWords } from './words.ts';

const trail = [{ title: 'Routing', href: '/routing' }];

/** Creates a routing config; `?number=` names one of yours. */
export function NewRouting() {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const number = params.get('number');
  const initialValues: ConfigValues = {
    name: '',
    channel: 'VOICE',
    numbers: number ? [number] : [],
    enabled: true,
    routes: [emptyRoute('VOICE')],
    fallback: null,
  };
  return (
    <Page title="New routing" trail={trail} description="Routes calls or messages by rules, evaluated in order.">
      <Tried
        initialValues={initialValues}
        onDone={({ uuid }) => navigate(`/routing/${uuid}`)}
        onCancel={() => navigate('/routing')}
      />
    </Page>
  );
}

/** Shows, changes and tries a routing config. */
export function EditRouting({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/routing-configs/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="routing config">
      {(config) => (
        <Page
          title={config.name}
          trail={trail}
          aside={<Status word={config.enabled ? 'ENABLED' : 'DISABLED'} />}
          description={channelWords[config.channel]}
          actions={
            <RemoveButton
              path="/v2/routing-configs/{uuid}/"
              uuid={uuid}
              what={`the routing “${config.name}”`}
              text="Calls ring the target number of each number again; messages are no longer sent on."
              back="/routing"
            />
          }
        >
          <Tried
            key={config.uuid}
            config={config}
            initialValues={configValues(config)}
            onDone={() => undefined}
            onCancel={() => navigate('/routing')}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** The form, and below it what tries its values as they are now. */
function Tried(props: Omit<RoutingFormProps, 'onValues'>) {
  const [values, setValues] = useState(props.initialValues);
  return (
    <Stack>
      <RoutingForm {...props} onValues={setValues} />
      <Explain key={values.channel} values={values} />
    </Stack>
  );
}
