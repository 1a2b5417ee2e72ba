import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Foreign, startForeign } from '../../kit/program/foreign.ts';

export const kamailio = '/usr/sbin/kamailio';

/** A carrier's edge: registers and lets in those who prove who they are, and stays in the path of their calls. */
export async function startKamailio(options: {
  directory: string;
  host: string;
  port: number;
  /** Where calls of the registered go. */
  callee: string;
}): Promise<Foreign> {
  const file = path.join(options.directory, 'kamailio.cfg');
  await writeFile(file, configuration(options));
  const foreign = startForeign(kamailio, ['-f', file, '-DD', '-E', '-w', options.directory, '-Y', options.directory]);
  return foreign;
}

/** A carrier's edge that speaks nothing but TLS: calls for one number go to a telephone, all others to us. */
export async function startSecureKamailio(options: {
  directory: string;
  host: string;
  port: number;
  files: { cert: string; key: string };
  number: string;
  callee: string;
  parley: string;
}): Promise<Foreign> {
  const { directory, host, port, files, number, callee, parley } = options;
  const file = path.join(directory, 'kamailio-tls.cfg');
  await writeFile(
    file,
    `
debug=2
log_stderror=yes
children=1
tcp_children=2
auto_aliases=no
enable_tls=yes
listen=tls:${host}:${port}
loadmodule "kex.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "maxfwd.so"
loadmodule "xlog.so"
loadmodule "tls.so"
modparam("rr", "enable_full_lr", 1)
modparam("tls", "tls_method", "TLSv1.2+")
modparam("tls", "certificate", "${files.cert}")
modparam("tls", "private_key", "${files.key}")
modparam("tls", "verify_certificate", 0)

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  record_route();
  if ($rU == "${number}") { $du = "sip:${callee};transport=tls"; } else { $du = "sip:${parley};transport=tls"; }
  t_relay();
}
`,
  );
  return startForeign(kamailio, ['-f', file, '-DD', '-E', '-w', directory, '-Y', directory]);
}

const configuration = ({ host, port, callee }: { host: string; port: number; callee: string }): string => `
debug=2
log_stderror=yes
children=1
auto_aliases=no
disable_tcp=yes
listen=udp:${host}:${port}
loadmodule "kex.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "maxfwd.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "auth.so"
loadmodule "xlog.so"
modparam("usrloc", "db_mode", 0)
modparam("rr", "enable_full_lr", 1)

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("carrier", "a long secret", "0")) { www_challenge("carrier", "0"); exit; }
    save("location");
    exit;
  }
  record_route();
  # From outside: to whoever registered.
  if ($rU == "parley") {
    if (!lookup("location")) { sl_send_reply("404", "Not registered"); exit; }
    t_relay();
    exit;
  }
  if (is_method("INVITE") && !pv_proxy_authenticate("carrier", "a long secret", "0")) { proxy_challenge("carrier", "0"); exit; }
  consume_credentials();
  $du = "sip:${callee}";
  t_relay();
}
`;
