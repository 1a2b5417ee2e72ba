// The reference of the rows ingest, inbound and redirect: takes the same and gives the same answer, and does nothing else.
import Fastify from 'fastify';
import { newId } from '../../src/platform/ids.ts';
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

app.get('/l/:shortcode', (_request, reply) =>
  reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect('http://127.0.0.1/console/phone/%2B442079460011?text=Hello%2C%20I%20would%20like%20to%20know%20more'),
);

app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post('/carriers/cloud-api/:uuid/webhook', async (_request, reply) => reply.code(200).send());
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
