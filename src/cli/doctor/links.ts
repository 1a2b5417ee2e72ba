import type pg from 'pg';
import { aliveText } from '../../platform/db/connect/listener.ts';
import { type Finding, ok, problem } from './finding.ts';

interface LinkRow {
  kind: 'SMS link' | 'SIP trunk';
  account: string;
  name: string;
  host: string | null;
  is_held: boolean;
  registers: boolean;
  report: { state?: string; lastError?: string };
}

export interface CheckedLinks {
  findings: Finding[];
  /** What they connect to, and what for. */
  hosts: Map<string, string>;
  hasTrunks: boolean;
}

const mostNamed = 20;

/** The links over SMPP and the SIP trunks of all accounts, as the processes that hold them told last. */
export async function checkLinks(client: pg.Client, isServed: boolean): Promise<CheckedLinks> {
  const { rows } = await client.query<LinkRow>(`
    select 'SMS link' as kind, accounts.name as account, link.name, link.settings->>'host' as host, true as registers,
      link.owner in (${aliveText}) as is_held, link.report
    from sms_links as link join accounts on accounts.uuid = link.account_id
    where link.enabled and link.carrier <> 'sandbox'
    union all
    select 'SIP trunk', accounts.name, trunk.name, trunk.host, trunk.register,
      coalesce(state.owner in (${aliveText}), false), coalesce(state.report, '{}')
    from sip_trunks as trunk join accounts on accounts.uuid = trunk.account_id
      left join sip_trunk_states as state on state.account_id = trunk.account_id and state.trunk = trunk.uuid
    where trunk.enabled`);
  const hosts = new Map<string, string>();
  for (const { kind, name, host } of rows) if (host) hosts.set(host, `${kind} ${name}`);
  const hasTrunks = rows.some(({ kind }) => kind === 'SIP trunk');
  if (!isServed) return { findings: [], hosts, hasTrunks };
  const down = rows.filter(({ is_held, report }) => !is_held || (report.state !== undefined && report.state !== 'UP'));
  const findings = down.slice(0, mostNamed).map(({ kind, account, name, is_held, report }) => {
    const why = is_held ? (report.lastError ?? 'no reason given') : 'no process has it';
    return problem(
      'links',
      `${kind} "${name}" of "${account}" is ${is_held ? report.state : 'DOWN'}: ${why}.`,
      adviceFor(why),
    );
  });
  if (down.length > mostNamed)
    findings.push(problem('links', `${down.length - mostNamed} more are down.`, 'Repair the first ones first.'));
  if (rows.length > 0 && down.length === 0) findings.push(ok('links', `All ${rows.length} are up.`));
  return { findings, hosts, hasTrunks };
}

function adviceFor(why: string): string {
  if (/no process/.test(why)) return 'Start a process with the role connector.';
  if (/password|system_id|authenti|40[137]\b|bind/i.test(why))
    return 'Check user name and password with your carrier, and whether your address is allowed there.';
  if (/refused|timed out|timeout|unreach|ECONN|EHOST/i.test(why))
    return 'Check host and port, your firewall, and whether your address is allowed there.';
  return 'Ask your carrier what it sees.';
}
