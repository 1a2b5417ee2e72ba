import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { UuidParams } from '../../../platform/http/openapi/models.ts';
import { originOf } from '../clicks/origin.ts';
import { findIntro } from '../queries.ts';
import { qrPng, qrSvg } from './qr.ts';

export const linkRoutes = [
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/qr/',
    operationId: 'getChatIntroQr',
    summary: 'Get the link of a chat intro as a QR code',
    tag: 'Chat intros',
    scope: 'chatapp:read',
    params: UuidParams,
    query: Type.Object({
      format: Type.Optional(
        Type.Enum(['png', 'svg'], { description: 'Left out: `svg` if `Accept` asks for that alone, else `png`.' }),
      ),
      size: Type.Integer({ minimum: 64, maximum: 2048, default: 512, description: 'Points on each side.' }),
    }),
    responses: { 200: Type.String({ contentMediaType: 'image/png', format: 'binary' }) },
    handler: async ({ deps, accountId, params, query, request }) => {
      const intro = await findIntro(deps.db, accountId, params.uuid);
      if (!intro) throw notFound();
      const link = `${originOf(deps.config, request)}/l/${intro.shortcode}`;
      const { format = preferred(request.headers.accept), size } = query;
      const [type, body] = format === 'svg' ? ['image/svg+xml', qrSvg(link, size)] : ['image/png', qrPng(link, size)];
      return { status: 200, body, headers: { 'content-type': type, 'cache-control': 'private, no-cache' } };
    },
  }),
];

const preferred = (accept = ''): 'png' | 'svg' =>
  accept.includes('image/svg+xml') && !/image\/(png|\*)|\*\/\*/.test(accept) ? 'svg' : 'png';
