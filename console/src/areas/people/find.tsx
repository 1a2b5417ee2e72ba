import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Page, Section } from '../../parts/index.ts';

/** Asks for the number of a person. */
export function FindPerson() {
  const [number, setNumber] = useState('');
  const [, navigate] = useLocation();
  return (
    <Page
      title="People"
      description="Everything stored about one person, across all channels: view, export or erase it."
    >
      <Section>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (number.trim() !== '') navigate(`/people/${encodeURIComponent(number.trim())}`);
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              type="tel"
              label="Phone number"
              description="Any format, with or without the country code."
              placeholder="+44 7700 900123"
              maxLength={64}
              required
              style={{ flex: '1 1 16rem' }}
              value={number}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
            <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
              Find
            </Button>
          </Group>
        </form>
      </Section>
    </Page>
  );
}
