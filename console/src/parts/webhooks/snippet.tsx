import { Code, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { Copy } from '../index.ts';

const node = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the bytes as they came, before any parsing.
export function isOurs(headers, body, secret) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\${body}\`;
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'));
  const isFresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300;
  const matches = (given) => given.length === expected.length && timingSafeEqual(given, expected);
  return isFresh && headers['webhook-signature'].split(' ').some((given) => matches(Buffer.from(given)));
}`;

const python = `import base64, hashlib, hmac, time

# body: the bytes as they came, before any parsing.
def is_ours(headers, body, secret):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    given = headers["webhook-signature"].split(" ")
    return is_fresh and any(hmac.compare_digest(expected, one) for one in given)`;

const sdk = `import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@parley/sdk';

// Throws a WebhookVerificationError when it is not from Parley, or too old.
const event = verifyWebhook(await buffer(request), request.headers, secret);`;

const snippets: Record<string, string> = { 'Parley SDK': sdk, 'Node.js': node, Python: python };
const names = Object.keys(snippets);

/** How the receiver checks that an event is from here. */
export function VerifySnippet() {
  const [name, setName] = useState(names[0]!);
  const code = snippets[name] ?? '';
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl size="xs" aria-label="Language" data={names} value={name} onChange={setName} />
        <Copy value={code} what="the code" />
      </Group>
      <Code block tabIndex={0} mah="20rem" style={{ overflow: 'auto' }}>
        {code}
      </Code>
    </Stack>
  );
}
