// Addresses that a peer names: we go to none that is inside and that nobody allowed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { answer, create, listening, openEar, openPhone, sdp, sipOf, startSipApp } from './peer.ts';

const [trunkHost, inside] = ['127.0.0.2', '127.0.0.77'];

describe('addresses that a SIP peer names', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let number: string;
  before(async () => {
    // The trunk is allowed, and nobody else in the same network.
    app = await startSipApp({ SIP_ALLOW: `${trunkHost}/32` });
    ({ number } = await create(app, '/v2/number/', { country_code: 'GB' }));
  });
  after(() => app.close());

  for (const [name, headersFor, sdpAddress] of [
    ['Contact', (place: string) => ({ Contact: `<sip:x@${place}>` }), trunkHost],
    ['Contact over TCP', (place: string) => ({ Contact: `<sip:x@${place};transport=tcp>` }), trunkHost],
    [
      'Record-Route over TCP',
      (place: string, own: string) => ({
        'Record-Route': `<sip:${place};transport=tcp;lr>`,
        Contact: `<sip:x@${own}>`,
      }),
      trunkHost,
    ],
    ['SDP', (_place: string, own: string) => ({ Contact: `<sip:x@${own}>` }), inside],
  ] as const) {
    it(`${name}: what is inside gets nothing, and the call goes on with the trunk`, async (t) => {
      const trunk = await openPhone(t, trunkHost);
      const victim = await openEar(t, inside);
      let connections = 0;
      const server = net.createServer((socket) => {
        connections++;
        socket.destroy();
      });
      server.listen(victim.port, inside);
      await once(server, 'listening');
      t.after(() => void server.close());
      const headers = headersFor(`${inside}:${victim.port}`, `${trunkHost}:${trunk.port}`);
      trunk.answerAll((asked) => {
        if (asked.startsWith('ACK')) return undefined;
        if (!asked.startsWith('INVITE')) return answer(asked, 200);
        const port = sdpAddress === inside ? victim.port : trunk.rtp.port;
        return answer(asked, 200, { headers, body: sdp(sdpAddress, port) });
      });
      const { uuid } = await create(app, '/v2/sip-trunks/', { name, host: trunkHost, port: trunk.port });
      t.after(async () => void (await app.call('DELETE', `/v2/sip-trunks/${uuid}/`)));
      await listening(app);
      await until('it can dial', () => sipOf(app).canDial(app.accountId));
      await create(app, '/v2/voice/calls/', { from: number, to: '+447700900123', tts: 'Hello.' });
      // Which ends the call after what was to be said.
      await trunk.next(/^BYE/);
      assert.ok(trunk.all(/^ACK/).length > 0);
      assert.deepEqual([connections, victim.heard.length], [0, 0]);
    });
  }
});
