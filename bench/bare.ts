// The reference of the ingest row: parses the same body and answers the same JSON, and does nothing else.
import Fastify from 'fastify';
import { newId } from '../src/platform/ids.ts';
import { type message, messagesPath } from './message.ts';

const app = Fastify();

app.get('/', async () => ({ status: 'ready' }));

app.post<{ Body: typeof message }>(messagesPath, async ({ body }, reply) => {
  const now = new Date().toISOString();
  const { language_code, template_name, components } = body.template;
  return reply.code(201).send({
    uuid: newId(),
    type: body.type,
    status: 'QUEUED',
    status_description: '',
    chatapp_number: body.chatapp_number,
    direction: 'OUTBOUND',
    from_chatapp_number: body.chatapp_number,
    to_chatapp_number: body.to_chatapp_number,
    message_data: { language_code, template_name, components },
    meta_data: body.meta_data,
    context_data: {},
    created: now,
    modified: now,
  });
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
