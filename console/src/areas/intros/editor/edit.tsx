import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useList, useOne } from '../../../api/index.ts';
import { Loaded, Page } from '../../../parts/index.ts';
import { blankIntro, formOf } from '../../../parts/intros/form.ts';
import { nameOf } from '../../../parts/intros/name.ts';
import { Editor } from './editor.tsx';
import { exampleIntro } from './example.ts';

const description = 'Set up the link, the reply and the agent. The preview shows the conversation.';

/** A new intro; `?copy=` begins with a copy of another one. */
export function NewIntro() {
  const [, navigate] = useLocation();
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200 });
  const [example, setExample] = useState(false);
  const [touched, setTouched] = useState(false);
  const copy = new URLSearchParams(location.search).get('copy');
  const onDone = ({ uuid }: { uuid: string }) => navigate(`/intros/${uuid}`);
  const initial = example ? exampleIntro(accounts.rows[0]?.chatapp_number ?? '') : blankIntro();
  return (
    <Page
      title="New intro"
      description={description}
      trail={[{ title: 'Intros', href: '/intros' }]}
      actions={
        !copy &&
        !example &&
        !touched && (
          <Button variant="default" leftSection={<IconWand size={16} />} onClick={() => setExample(true)}>
            Fill in an example
          </Button>
        )
      }
    >
      {copy ? (
        <Copied uuid={copy} onDone={onDone} />
      ) : (
        <Editor
          key={String(example)}
          initial={initial}
          onDone={onDone}
          onCancel={() => navigate('/intros')}
          onTouched={() => setTouched(true)}
        />
      )}
    </Page>
  );
}

function Copied({ uuid, onDone }: { uuid: string; onDone(intro: { uuid: string }): void }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="intro">
      {(intro) => (
        <Editor
          initial={{ ...formOf(intro), reference_id: '' }}
          onDone={onDone}
          onCancel={() => navigate(`/intros/${uuid}`)}
        />
      )}
    </Loaded>
  );
}

/** Changes an intro. Sessions that have begun go on as they were. */
export function EditIntro({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid });
  const back = () => navigate(`/intros/${uuid}`);
  return (
    <Loaded query={query} what="intro">
      {(intro) => (
        <Page
          title={`Edit ${nameOf(intro)}`}
          description="Running sessions are not affected; new ones use what you save."
          trail={[
            { title: 'Intros', href: '/intros' },
            { title: nameOf(intro), href: `/intros/${uuid}` },
          ]}
        >
          <Editor initial={formOf(intro)} intro={intro} onDone={back} onCancel={back} />
        </Page>
      )}
    </Loaded>
  );
}
