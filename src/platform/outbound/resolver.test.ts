import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../test/kit/until.ts';
import { makeTurns } from '../work/turns.ts';
import { addressesIn, makeResolve, searchDomains } from './resolver.ts';

/** A name server with these names; it says of others that there are none. */
async function startServer(names: Record<string, { A?: number[]; AAAA?: number[] }>) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at]! > 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const end = at + 5;
    const kind = query.readUInt16BE(at + 1) === 1 ? 'A' : 'AAAA';
    const name = labels.join('.');
    asked.push(`${kind} ${name}`);
    const known = names[name];
    const data = known?.[kind];
    const answer = Buffer.from(query.subarray(0, end));
    answer.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    answer.writeUInt16BE(data ? 1 : 0, 6);
    answer.writeUInt32BE(0, 8);
    const record = data ? [0xc0, 12, 0, kind === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 1, 0, data.length, ...data] : [];
    socket.send(Buffer.concat([answer, Buffer.from(record)]), from.port, from.address);
  });
  await once(socket, 'listening');
  return { asked, server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

describe('Looking up a name', { timeout: 1_800_000 }, () => {
  let directory: string;
  let dns: Awaited<ReturnType<typeof startServer>>;
  let resolve: ReturnType<typeof makeResolve>;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-names-'));
    const [hostsFile, resolverFile] = [path.join(directory, 'hosts'), path.join(directory, 'resolv.conf')];
    await writeFile(hostsFile, '# mine\n::1 box ip6-box\n192.168.7.1\tBox box.lan # the box\nnonsense box\n');
    await writeFile(resolverFile, 'nameserver 127.0.0.1\nsearch svc.cluster.test cluster.test.\n');
    const sixteen = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
    dns = await startServer({
      'both.example': { A: [93, 184, 215, 14], AAAA: sixteen },
      'six.example': { AAAA: sixteen },
      'empty.example': {},
      'hook.shop.svc.cluster.test': { A: [10, 0, 0, 7] },
      'hook.svc.cluster.test': { A: [10, 0, 0, 8] },
    });
    resolve = makeResolve({ servers: [dns.server], hostsFile, resolverFile });
  });
  after(async () => {
    dns.close();
    await rm(directory, { recursive: true, force: true });
  });
  const addresses = async (name: string) => (await resolve(name)).map(({ address }) => address);

  it('finds addresses of both kinds, IPv4 first', async () => {
    assert.deepEqual(await resolve('both.example'), [
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    assert.deepEqual(await addresses('SIX.example.'), ['2606:4700::1111']);
  });

  it('reads the hosts file first, and knows localhost', async () => {
    assert.deepEqual(await addresses('box'), ['192.168.7.1', '::1']);
    assert.deepEqual(await addresses('BOX.lan'), ['192.168.7.1']);
    assert.deepEqual(await addresses('localhost'), ['127.0.0.1', '::1']);
    assert.ok(!dns.asked.some((one) => /box|localhost/i.test(one)));
  });

  it('tries the search domains, for short names first', async () => {
    assert.deepEqual(await addresses('hook'), ['10.0.0.8']);
    assert.deepEqual(await addresses('hook.shop'), ['10.0.0.7']);
    await assert.rejects(resolve('hook.shop.'), /^Error: hook\.shop\. has no address\.$/);
  });

  it('asks the system for local names one at a time, and waits for nobody beyond the deadline', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const askSystem = async (name: string) => {
      asked.push(name);
      await new Promise<void>((answer) => answers.push(answer));
      return [{ address: '192.168.7.9', family: 4 }];
    };
    const takeTurns = makeTurns({ atOnce: 1, mostWaiting: 10, waitMs: 60_000 });
    const patient = makeResolve({ servers: [dns.server], askSystem, takeTurns, timeoutMs: 60_000 });
    const hasty = makeResolve({ servers: [dns.server], askSystem, takeTurns, timeoutMs: 1 });
    const first = patient('printer.local');
    await until(() => asked.length === 1);
    await assert.rejects(hasty('scanner.local'), { code: 'ETIMEOUT' });
    assert.deepEqual(asked, ['printer.local']);
    await assert.rejects(patient('nobody.example'), { code: 'ENOTFOUND' });
    for (const answer of answers.splice(0)) answer();
    assert.deepEqual(await first, [{ address: '192.168.7.9', family: 4 }]);
    // Somebody who gave up holds up nobody.
    const third = patient('plotter.local');
    await until(() => {
      for (const answer of answers.splice(0)) answer();
      return asked.includes('plotter.local');
    });
    assert.equal((await third).length, 1);
  });

  it('says of a name without an address that it has none', async () => {
    for (const name of ['empty.example', 'nobody.example', `${'x'.repeat(70)}.example`, 'a..b']) {
      await assert.rejects(resolve(name), { message: `${name} has no address.`, code: 'ENOTFOUND' }, name);
    }
  });
});

describe('The files of the system', () => {
  it('are read as the manual has them', () => {
    assert.deepEqual(addressesIn('127.0.0.1 localhost\r\n', 'localhost'), [{ address: '127.0.0.1', family: 4 }]);
    assert.deepEqual(addressesIn('', 'localhost'), []);
    assert.deepEqual(searchDomains('search a\nsearch B.example c.\n'), ['b.example', 'c']);
    assert.deepEqual(searchDomains('#search a\noptions ndots:5\n'), []);
  });
});
