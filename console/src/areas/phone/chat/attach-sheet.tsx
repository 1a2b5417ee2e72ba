import { Button, NumberInput, Stack, Tabs, TextInput } from '@mantine/core';
import { IconMapPin, IconPhoto } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Sheet } from '../frame/sheet.tsx';
import type { Deed, Message } from '../types.ts';
import { FileForm } from './file-form.tsx';

type Send = (deed: Deed, shown: Partial<Message>) => void;

/** What can be sent besides text: a file, or a place. */
export function AttachSheet({
  tab = 'file',
  onClose,
  onSend,
}: {
  tab?: 'file' | 'place' | undefined;
  onClose(): void;
  onSend: Send;
}) {
  return (
    <Sheet title="Attach" onClose={onClose}>
      <Tabs defaultValue={tab}>
        <Tabs.List grow mb="md">
          <Tabs.Tab value="file" leftSection={<IconPhoto size={16} />}>
            File
          </Tabs.Tab>
          <Tabs.Tab value="place" leftSection={<IconMapPin size={16} />}>
            Location
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="file">
          <FileForm onSend={onSend} />
        </Tabs.Panel>
        <Tabs.Panel value="place">
          <PlaceForm onSend={onSend} />
        </Tabs.Panel>
      </Tabs>
    </Sheet>
  );
}

function PlaceForm({ onSend }: { onSend: Send }) {
  const [latitude, setLatitude] = useState<number | string>(51.50335);
  const [longitude, setLongitude] = useState<number | string>(-0.11952);
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const isPlace = typeof latitude === 'number' && typeof longitude === 'number';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPlace) return;
    const location = { latitude, longitude, ...(name && { name }), ...(address && { address }) };
    onSend({ location }, { type: 'LOCATION', location, text: '' });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NumberInput
          label="Latitude"
          value={latitude}
          onChange={setLatitude}
          min={-90}
          max={90}
          decimalScale={6}
          hideControls
        />
        <NumberInput
          label="Longitude"
          value={longitude}
          onChange={setLongitude}
          min={-180}
          max={180}
          decimalScale={6}
          hideControls
        />
        <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput label="Address" value={address} onChange={(event) => setAddress(event.currentTarget.value)} />
        <Button type="submit" radius="xl" disabled={!isPlace}>
          Send
        </Button>
      </Stack>
    </form>
  );
}
