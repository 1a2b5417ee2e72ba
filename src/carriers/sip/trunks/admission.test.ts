// Calls over real connections with real certificates: who is admitted by what they show.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { makeAuthority, type TestCertificate } from '../../../../test/kit/certificates.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../../platform/log.ts';
import { type CertificateFiles, openCertificateFiles } from '../../../platform/tls/certificate-files.ts';
import { authorise } from '../signalling/authentication/digest.ts';
import type { SipRequest, SipResponse } from '../signalling/message/message.ts';
import { parse } from '../signalling/message/parse.ts';
import { openWire, type Peer, type Wire } from '../signalling/transport/wire.ts';
import { makeAdmission, type TrunkAdmission } from './admission.ts';
import type { TrunkRow } from './queries.ts';
import { type Trunk, trunkOf } from './trunk.ts';

const host = '127.0.0.1';
const authority = makeAuthority();
const others = makeAuthority('Authority of another account');
const row: TrunkRow = {
  ...{
    account_id: 'a',
    uuid: 't',
    name: 'Certified',
    host,
    port: 5061,
    transport: 'tls',
    username: '',
    password: null,
  },
  ...{ register: false, allowed_addresses: [], codecs: ['PCMU'], from_domain: '', srtp: 'off', tls_verify: true },
  ...{
    tls_ca: authority.cert,
    tls_client_name: 'PBX.example.com',
    weight: 1,
    modified: '',
    owner: null,
    has_state: true,
  },
};
const open = { open: (sealed: string) => sealed };
const trunk = (more: Partial<TrunkRow> = {}, addresses: string[] = [host]) =>
  trunkOf(open, { ...row, ...more }, { addresses, problem: '' });

const invite = (secret = ''): string =>
  `INVITE sip:441234567@${host} SIP/2.0\r\nVia: SIP/2.0/TLS ${host}:5061;branch=z9hG4bK1\r\nFrom: <sip:100@x>;tag=1\r\nTo: <sip:441234567@x>\r\nCall-ID: 1\r\nCSeq: 1 INVITE\r\n${secret}Content-Length: 0\r\n\r\n`;

describe('A trunk with tls_client_name', () => {
  let directory: string;
  let files: CertificateFiles;
  let wire: Wire;
  const admission = makeAdmission(() => Date.now());
  let trunks: Trunk[] = [];
  const setTrunks = (now: Trunk[]): void => {
    admission.change({ gone: trunks, come: now });
    trunks = now;
  };
  const outcomes: string[] = [];
  const own = { first: authority.issue([host]), second: authority.issue([host, 'renewed.example.com']) };
  const put = async ({ cert, key }: TestCertificate): Promise<void> => {
    await writeFile(path.join(directory, 'cert.pem'), cert);
    await writeFile(path.join(directory, 'key.pem'), key);
  };
  const judge = (octets: Buffer, from: Peer): void => {
    const parsed = parse(octets);
    if (parsed.kind !== 'message') return void outcomes.push(parsed.kind);
    const admitted = admission.admit(parsed.message as SipRequest, from);
    outcomes.push(
      admitted.kind === 'admitted'
        ? admitted.caller.map(({ name }) => name).join()
        : `${admitted.kind} ${admitted.kind === 'refused' ? admitted.status : ''}`,
    );
  };
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-admission-'));
    await put(own.first);
    files = await openCertificateFiles(
      {
        names: ['SIP_TLS_CERT_FILE', 'SIP_TLS_KEY_FILE'],
        certFile: path.join(directory, 'cert.pem'),
        keyFile: path.join(directory, 'key.pem'),
      },
      { log: makeLog({ level: 'silent', pretty: false }) },
    );
    wire = await openWire({
      ...{ host, port: 0, onOctets: judge, onDropped: () => void outcomes.push('dropped') },
      secure: { port: 0, certificate: files },
    });
  });
  after(async () => {
    await wire.close();
    files.close();
    await rm(directory, { recursive: true, force: true });
  });

  const connect = async (shown?: TestCertificate): Promise<tls.TLSSocket> => {
    const socket = tls.connect({ host, port: wire.tlsPort!, ca: authority.cert, ...shown });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };
  /** What becomes of a call by somebody who shows this. */
  const call = async (shown?: TestCertificate): Promise<string> => {
    const socket = await connect(shown);
    outcomes.length = 0;
    socket.write(invite());
    await until(() => outcomes.length > 0);
    socket.destroy();
    return outcomes.join();
  };

  it('takes calls with a certificate of its authority for the name, from wherever, and no others', async () => {
    for (const addresses of [[host], []]) {
      setTrunks([trunk({}, addresses)]);
      assert.equal(await call(authority.issue(['pbx.example.com'])), 'Certified');
      assert.equal(await call(authority.issue(['other.example.com', 'pbx.example.com'])), 'Certified');
      assert.equal(await call(), 'refused 403', 'none');
      assert.equal(await call(others.issue(['pbx.example.com'])), 'refused 403', 'of another authority');
      assert.equal(await call(authority.issue(['other.example.com'])), 'refused 403', 'for another name');
      assert.equal(await call(authority.issue(['pbx.example.com'], { days: -1 })), 'refused 403', 'expired');
      const { cert, key } = makeAuthority('pbx.example.com');
      assert.equal(await call({ cert, key }), 'refused 403', 'signed by itself');
    }
  });

  it('takes an address for a name', async () => {
    setTrunks([trunk({ tls_client_name: '192.0.2.7' }, [])]);
    assert.equal(await call(authority.issue(['192.0.2.7'])), 'Certified');
    assert.equal(await call(authority.issue(['192.0.2.8'])), 'refused 403');
  });

  it('is not entered without TLS or by its password, and leaves other trunks as they are', async () => {
    setTrunks([trunk({ username: 'pbx', password: 'a long password', allowed_addresses: ['127.0.0.0/8'] })]);
    outcomes.length = 0;
    judge(Buffer.from(invite()), { protocol: 'udp', address: host, port: 5060 });
    assert.deepEqual(outcomes, ['refused 403'], 'and nobody is asked for a password');
    const plain = trunk({ uuid: 'u', account_id: 'b', name: 'By address', tls_client_name: null });
    setTrunks([trunk(), plain]);
    assert.equal(await call(), 'By address');
    assert.equal(await call(others.issue(['pbx.example.com'])), 'By address');
    assert.equal(await call(authority.issue(['pbx.example.com'])), 'Certified');
  });

  it('of two accounts with the same name, each is entered by its own authority alone', async () => {
    const foreign = trunk({ uuid: 'u', account_id: 'b', name: 'Foreign', tls_ca: others.cert });
    setTrunks([trunk(), foreign]);
    assert.equal(await call(authority.issue(['pbx.example.com'])), 'Certified');
    assert.equal(await call(others.issue(['pbx.example.com'])), 'Foreign');
  });

  it('new connections get a certificate that was renewed while those that are there go on', async () => {
    setTrunks([trunk()]);
    const shown = authority.issue(['pbx.example.com']);
    const before = await connect(shown);
    const serial = (socket: tls.TLSSocket) => socket.getPeerX509Certificate()!.subjectAltName;
    assert.equal(serial(before), 'IP Address:127.0.0.1');
    await put(own.second);
    await files.reload();
    const later = await connect(shown);
    assert.equal(serial(later), 'IP Address:127.0.0.1, DNS:renewed.example.com');
    for (const socket of [before, later]) {
      outcomes.length = 0;
      socket.write(invite());
      await until(() => outcomes.length > 0);
      assert.deepEqual(outcomes, ['Certified']);
      socket.destroy();
    }
    // A key that does not fit leaves everything as it was.
    await writeFile(path.join(directory, 'key.pem'), own.first.key);
    await files.reload();
    const last = await connect(shown);
    assert.equal(serial(last), 'IP Address:127.0.0.1, DNS:renewed.example.com');
    last.destroy();
  });
});

describe('changes of trunks', () => {
  const request = (() => {
    const parsed = parse(Buffer.from(invite()));
    return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail(parsed.problem);
  })();
  const plain = (uuid: string, more: Partial<TrunkRow> = {}, addresses: string[] = []) =>
    trunk({ uuid, account_id: uuid, name: uuid, tls_client_name: null, ...more }, addresses);
  const judge = (admission: TrunkAdmission, address: string): string => {
    const admitted = admission.admit(request, { protocol: 'udp', address, port: 5060 });
    if (admitted.kind === 'admitted') return admitted.caller.map(({ name }) => name).join();
    return admitted.kind === 'refused' ? String(admitted.status) : admitted.kind;
  };

  it('let in and keep out at once whom they concern, and nobody else', () => {
    const admission = makeAdmission(() => 0);
    const a = plain('a', { allowed_addresses: ['198.51.100.0/24', '2001:db8::/32'] }, ['192.0.2.1']);
    const b = plain('b', { allowed_addresses: ['198.51.100.128/25', '192.0.2.1/32'] });
    admission.change({ gone: [], come: [a, b] });
    assert.equal(judge(admission, '192.0.2.1'), 'a,b');
    assert.equal(judge(admission, '198.51.100.1'), 'a');
    assert.equal(judge(admission, '198.51.100.200'), 'a,b');
    assert.equal(judge(admission, '2001:db8::7'), 'a');
    assert.equal(judge(admission, '2001:db9::7'), '403');
    const narrower = plain('a', { allowed_addresses: ['198.51.100.1/32'] }, ['192.0.2.9']);
    admission.change({ gone: [a], come: [narrower] });
    assert.equal(judge(admission, '192.0.2.1'), 'b');
    assert.equal(judge(admission, '192.0.2.9'), 'a');
    assert.equal(judge(admission, '198.51.100.200'), 'b');
    assert.equal(judge(admission, '2001:db8::7'), '403');
    admission.change({ gone: [narrower, b], come: [] });
    for (const address of ['192.0.2.1', '192.0.2.9', '198.51.100.1']) assert.equal(judge(admission, address), '403');
  });

  it('strangers are asked for a password as long as any trunk has one', () => {
    const admission = makeAdmission(() => 0);
    const named = [plain('a', { username: 'pbx', password: 'one' }), plain('b', { username: 'pbx', password: 'two' })];
    admission.change({ gone: [], come: [...named, plain('c', { username: 'pbx' })] });
    assert.equal(judge(admission, '203.0.113.1'), '401');
    admission.change({ gone: [named[0]!], come: [] });
    assert.equal(judge(admission, '203.0.113.1'), '401');
    admission.change({ gone: [named[1]!], come: [] });
    assert.equal(judge(admission, '203.0.113.1'), '403');
  });

  it('at an address that two accounts share, a password tells whose call it is', () => {
    const admission = makeAdmission(() => 0);
    const users = [
      plain('a', { username: 'one', password: 'the first' }),
      plain('b', { username: 'two', password: 'the second' }),
    ];
    const from = { protocol: 'udp', address: '192.0.2.1', port: 5060 } as const;
    admission.change({ gone: [], come: users });
    const challenge = admission.admit(request, from);
    assert.ok(challenge.kind === 'refused' && challenge.status === 401);
    const shared = users.map(({ uuid, username, password }) => plain(uuid, { username, password }, [from.address]));
    admission.change({ gone: users, come: shared });
    assert.equal(judge(admission, from.address), 'a,b', 'without one the called number tells');
    const challenged = { status: 401, headers: new Map(Object.entries(challenge.headers!)) } as unknown as SipResponse;
    const { name, value } = authorise(challenged, request, { username: 'two', password: 'the second' })!;
    const parsed = parse(Buffer.from(invite(`${name}: ${value}\r\n`)));
    assert.ok(parsed.kind === 'message');
    const admitted = admission.admit(parsed.message as SipRequest, from);
    assert.deepEqual(admitted.kind === 'admitted' && admitted.caller.map(({ name }) => name), ['b']);
  });

  it('nobody is let in after the end', () => {
    const admission = makeAdmission(() => 0);
    admission.change({ gone: [], come: [plain('a', {}, ['192.0.2.1'])] });
    assert.equal(judge(admission, '192.0.2.1'), 'a');
    admission.close();
    assert.equal(judge(admission, '192.0.2.1'), '403');
  });

  it('a call looks at no trunk that it has nothing to do with', () => {
    const admission = makeAdmission(() => 0);
    let looks = 0;
    const watched = (one: Trunk): Trunk =>
      new Proxy(one, {
        get(of, name) {
          looks++;
          return Reflect.get(of, name);
        },
      });
    const many = Array.from({ length: 1_000 }, (_, index) => {
      const [high, low] = [index >> 8, index & 255];
      return watched(plain(`t${index}`, { allowed_addresses: [`100.${high}.${low}.0/24`] }, [`101.${high}.${low}.1`]));
    });
    admission.change({ gone: [], come: many });
    looks = 0;
    for (const address of ['100.1.7.9', '101.1.7.1']) assert.equal(judge(admission, address), 't263');
    assert.equal(judge(admission, '102.1.7.1'), '403');
    assert.ok(looks < 20, `${looks} looks`);
  });
});
