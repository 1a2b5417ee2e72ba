import { Stack } from '@mantine/core';
import { type ComponentProps, Fragment, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { Loaded, Page, RemoveButton } from '../../parts/index.ts';
import { LinkState } from './link-state.tsx';

interface Settings {
  name: string;
  enabled: boolean;
  modified: string;
}

interface FormOf<L> {
  link: L;
  onDone(link: L): void;
  onCancel(): void;
}

interface LinkPageProps<L extends Settings>
  extends Pick<ComponentProps<typeof RemoveButton>, 'path' | 'uuid' | 'text'> {
  query: ComponentProps<typeof Loaded<L>>['query'];
  /** Within a sentence: `trunk`. */
  one: string;
  /** The way here; its last step is the list. */
  trail: { title: string; href: string }[];
  /** Where the network status tells of such links. */
  status: `/v2/network-status/${string}/`;
  state: string | undefined;
  /** How it does at this moment. */
  now: ReactNode;
  form(props: FormOf<L>): ReactNode;
}

/** One link to a network: how it does, and its settings. */
export function LinkPage<L extends Settings>(props: LinkPageProps<L>) {
  const { query, one, trail, path, uuid, text, status, state, now, form } = props;
  const [, navigate] = useLocation();
  // What was saved begins a new form, without the password that was typed.
  const [saved, setSaved] = useState<L>();
  const list = trail.at(-1)!.href;
  return (
    <Loaded query={query} what={one}>
      {(link) => (
        <Page
          title={link.name}
          aside={<LinkState state={link.enabled ? state : 'DISABLED'} />}
          trail={trail}
          actions={
            <RemoveButton
              path={path}
              uuid={uuid}
              what={`the ${one} “${link.name}”`}
              text={text}
              back={list}
              invalidates={[status]}
            />
          }
        >
          <Stack>
            {now}
            <Fragment key={saved?.modified}>
              {form({ link: saved ?? link, onDone: setSaved, onCancel: () => navigate(list) })}
            </Fragment>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}
