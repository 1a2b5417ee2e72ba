import { Alert, Button, Divider, FileInput, Select, Stack, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { call, sayProblem, urlOf } from '../../../api/index.ts';
import type { Deed, Message } from '../types.ts';

type Send = (deed: Deed, shown: Partial<Message>) => void;
type Kind = NonNullable<Deed['media']>['type'];

const kinds: { value: Kind; label: string }[] = [
  { value: 'IMAGE', label: 'Photo' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'AUDIO', label: 'Voice message' },
  { value: 'DOCUMENT', label: 'Document' },
  { value: 'STICKER', label: 'Sticker' },
];

/** Puts a file where the server can be asked for it; the server says what kind it is. */
async function upload(file: File) {
  const form = new FormData();
  form.append('file', file);
  const { uuid, media_type: type, filename } = await call('post', '/v2/chatapp/template-media/', { body: form });
  return { type, filename, url: urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid }) };
}

/** A file to be sent: one of this computer, or one on the web by its address. */
export function FileForm({ onSend }: { onSend: Send }) {
  const [file, setFile] = useState<File | null>(null);
  const [kind, setKind] = useState<Kind>('IMAGE');
  const [url, setUrl] = useState('');
  const [caption, setCaption] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const isAddress = /^https?:\/\/\S+$/.test(url);
  const named = () => ({ type: kind, url, filename: URL.parse(url)?.pathname.split('/').at(-1) ?? '' });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { type, url: address, filename } = file ? await upload(file) : named();
      const words = type === 'AUDIO' || type === 'STICKER' ? '' : caption.trim();
      const name = type === 'DOCUMENT' && filename ? { filename } : {};
      const media = { type, url: address, ...name, ...(words && { caption: words }) };
      onSend({ media }, { type, media: { url: address, ...name }, text: words });
    } catch (error) {
      setProblem(sayProblem(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {problem && (
          <Alert color="red" role="alert" p="xs">
            {problem}
          </Alert>
        )}
        <FileInput
          label="File of this computer"
          placeholder="Choose a file"
          leftSection={<IconUpload size={16} />}
          clearable
          clearButtonProps={{ 'aria-label': 'Take it out' }}
          value={file}
          onChange={setFile}
        />
        {!file && (
          <>
            <Divider label="or" />
            <TextInput
              label="Address of a file on the web"
              placeholder="https://example.com/photo.jpg"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value.trim())}
              error={url && !isAddress ? 'Enter an address that begins with http:// or https://.' : undefined}
            />
            <Select
              label="Kind"
              data={kinds}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind((value as Kind) ?? 'IMAGE')}
            />
          </>
        )}
        <TextInput
          label="Caption"
          maxLength={1024}
          value={caption}
          onChange={(event) => setCaption(event.currentTarget.value)}
        />
        <Button type="submit" radius="xl" loading={busy} disabled={!file && !isAddress}>
          Send
        </Button>
      </Stack>
    </form>
  );
}
