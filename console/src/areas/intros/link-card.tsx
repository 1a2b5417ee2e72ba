import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { IconDeviceMobile, IconDownload } from '@tabler/icons-react';
import { serverUrl, urlOf } from '../../api/index.ts';
import { Copy, Section } from '../../parts/index.ts';
import type { Intro } from '../../parts/intros/form.ts';
import { codeOf } from '../../parts/intros/name.ts';

const qrPath = '/v2/chatapp/chat-intros/{uuid}/qr/';

/** The link of an intro, to copy, to print and to try. */
export function LinkCard({ intro }: { intro: Intro }) {
  const { uuid } = intro;
  const code = codeOf(intro.chat_link);
  const link = `${serverUrl}/l/${code}`;
  return (
    <Section title="Link" description="Use it on a website, in an ad or on a sign.">
      <Group gap={4} wrap="nowrap" mb="md">
        <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {link}
        </Anchor>
        <Copy value={link} what="the link" />
      </Group>
      <Paper bg="#fff" p="xs" w={176} mx="auto" withBorder>
        <img
          src={urlOf(qrPath, { uuid }, { format: 'svg', size: 320 })}
          alt={`QR code of ${link}`}
          width={156}
          height={156}
          style={{ display: 'block' }}
        />
      </Paper>
      <Group justify="center" gap="xs" mt="sm">
        {(['png', 'svg'] as const).map((format) => (
          <Button
            key={format}
            component="a"
            href={urlOf(qrPath, { uuid }, { format, size: 1024 })}
            download={`intro-${code}.${format}`}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={15} />}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noreferrer"
        fullWidth
        mt="lg"
        variant="light"
        leftSection={<IconDeviceMobile size={17} />}
      >
        Test on the simulator
      </Button>
      <Text size="xs" c="dimmed" mt={6}>
        Opens the real link in a new tab. On the sandbox a phone of the console answers; otherwise the chat app does. It
        counts as a click.
      </Text>
    </Section>
  );
}
