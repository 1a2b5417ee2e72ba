import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { type Foreign, startForeign } from '../../kit/program/foreign.ts';

export interface Baresip {
  foreign: Foreign;
  /** Where it keeps what it heard, a file for each call. */
  heard(): Promise<string[]>;
  command(command: string, params?: string): Promise<void>;
}

/** A telephone that answers by itself and says a tone all the time. */
export async function startBaresip(options: {
  directory: string;
  user: string;
  host: string;
  port: number;
  controlPort: number;
  hertz: number;
  /** A file with a certificate and its key: it speaks TLS on the port after its own, and encrypts what it says. */
  secure?: string;
}): Promise<Baresip> {
  const { host, port, controlPort, hertz, secure } = options;
  const directory = path.join(options.directory, `baresip-${host}-${port}`);
  const dumps = path.join(directory, 'dumps');
  await mkdir(dumps, { recursive: true });
  const tone = path.join(directory, 'tone.wav');
  // It hangs up when the file ends.
  spawnSync('sox', [
    '-n',
    '-r',
    '8000',
    '-c',
    '1',
    '-b',
    '16',
    tone,
    'synth',
    '120',
    'sine',
    String(hertz),
    'vol',
    '0.3',
  ]);
  await writeFile(
    path.join(directory, 'accounts'),
    `<sip:${options.user}@${host}:${secure ? `${port + 1};transport=tls` : port}>;regint=0;answermode=auto${secure ? ';mediaenc=srtp-mand' : ''}\n`,
  );
  await writeFile(path.join(directory, 'contacts'), '');
  await writeFile(
    path.join(directory, 'config'),
    `sip_listen ${host}:${port}
net_interface ${host}
rtp_ports 41000-41999
audio_player aufile,${path.join(directory, 'heard.wav')}
audio_source aufile,${tone}
audio_alert aufile,${path.join(directory, 'alert.wav')}
module_path /usr/lib/baresip/modules
${secure ? `module srtp.so\nsip_certificate ${secure}\nsip_verify_server no\n` : ''}module g711.so
module aufile.so
module sndfile.so
module account.so
module menu.so
module contact.so
module uuid.so
module ctrl_tcp.so
ctrl_tcp_listen ${host}:${controlPort}
snd_path ${dumps}
`,
  );
  const foreign = startForeign('baresip', ['-4', '-f', directory]);
  await foreign.says(/baresip is ready/);
  return {
    foreign,
    heard: async () =>
      (await readdir(dumps))
        .filter((name) => name.endsWith('-dec.wav'))
        .toSorted()
        .map((name) => path.join(dumps, name)),
    command: (command, params = '') => say(host, controlPort, JSON.stringify({ command, params })),
  };
}

/** ctrl_tcp speaks JSON in netstrings. */
function say(host: string, port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host, () => socket.write(`${text.length}:${text},`));
    socket.once('error', reject);
    socket.once('data', () => {
      socket.end();
      resolve();
    });
  });
}
