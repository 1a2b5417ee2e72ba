import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { signatureOf } from '../../simulators/cloud-api/webhooks/payload.ts';
import { appSecret, numberId } from './cloud.ts';
import { connections, findGenerator, generators, type Load, runGenerator, runWrk } from './load.ts';
import { message } from './message.ts';

/** Signed webhooks of the platform, each with one message that a person wrote. All different, all of the same length. */
export interface Pool {
  file: string;
  size: number;
}

export interface PayloadLoad extends Load {
  /** Answered. */
  requests: number;
  /** Handed to a connection; the last of them may be unanswered. */
  used: number;
}

/** Made beforehand: what signing costs is the platform's affair. */
export async function makePool(directory: string, size: number): Promise<Pool> {
  const file = path.join(directory, 'payloads.txt');
  const lines = Array.from({ length: size }, (_, index) => {
    const body = bodyOf(index);
    return `${signatureOf(appSecret, body)} ${body}\n`;
  });
  await writeFile(file, lines.join(''));
  return { file, size };
}

function bodyOf(index: number): string {
  const number = String(index).padStart(8, '0');
  const from = `44${number}7`;
  const written = {
    from,
    id: `wamid.HBgMNDQ3NzAwOTAwMTIzFQIAEhggRjA4QjY3QzRB${number}`,
    timestamp: '1790000000',
    type: 'text',
    text: { body: 'Hello, is the flat in Orchard Road still to be had? I could come on Saturday.' },
  };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: message.chatapp_number.slice(1), phone_number_id: numberId },
    contacts: [{ profile: { name: 'Ana Example' }, wa_id: from }],
    messages: [written],
  };
  const entry = [{ id: '1000000000000002', changes: [{ value, field: 'messages' }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

/** Posts payloads of the pool over 64 connections, from a process of its own: `most` from the first on, then those again. */
export async function postPayloads(
  scope: AsyncDisposableStack,
  url: string,
  { file, first, most }: Pool & { first: number; most: number },
  seconds: number,
): Promise<PayloadLoad> {
  const args = [file, String(first), String(most)];
  if ((await findGenerator()) === 'wrk') return runWrk(scope, 'post-payloads.lua', url, args, seconds);
  const program = path.join(generators, 'post-payloads.ts');
  return runGenerator(scope, [process.execPath, program, url, ...args, String(seconds), String(connections)]);
}
