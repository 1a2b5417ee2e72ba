import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { leastTrunkPassword } from '../../../carriers/ports/legs.ts';
import type { Deps } from '../../../deps.ts';
import { type FieldErrors, notFound, ValidationError } from '../../../platform/errors.ts';
import { newCode } from '../../../platform/ids.ts';
import { hasHostBits, parseNetwork } from '../../../platform/networks.ts';
import { refusalOf } from '../../../platform/outbound/guard.ts';
import { certificatesIn } from '../../../platform/tls/shown-certificate.ts';
import { within } from '../../../platform/within.ts';
import { goLive } from '../../accounts/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { deleteTrunkRow, findTrunk, insertTrunk, type TrunkFields, type TrunkRow, updateTrunk } from './queries.ts';
import { type SipTrunkCreate, type SipTrunkUpdate, trunkDefaults } from './schemas.ts';

const subjectType = 'sip_trunk';
/** The carrier looks again when it hears of it. */
const topic = 'sip-trunks';

export const createTrunk = (
  deps: Deps,
  accountId: string,
  given: SipTrunkCreate,
): Promise<{ row: TrunkRow; warnings: string[] }> =>
  changing(deps, accountId, async (deps) => {
    const { password, ...rest } = given;
    const port = rest.transport === 'tls' ? { port: 5061 } : {};
    const trunk = { name: `sip ${newCode(6)}`, ...trunkDefaults, ...port, ...rest, password: sealed(deps, password) };
    check(deps, trunk, password);
    const row = await insertTrunk(deps.db, accountId, trunk);
    if (!row) throw nameTaken();
    await tell(deps, accountId, row.uuid, 'created');
    const { warnings, events } = await goLive(deps, accountId);
    await appendEvents(deps.db, events);
    return { row, warnings };
  });

export const changeTrunk = (deps: Deps, accountId: string, uuid: string, change: SipTrunkUpdate): Promise<TrunkRow> =>
  changing(deps, accountId, async (deps) => {
    const before = await findTrunk(deps.db, accountId, uuid, { lock: true });
    if (!before) throw notFound();
    const password = change.password === undefined ? before.password : sealed(deps, change.password);
    const trunk: TrunkFields = { ...before, ...change, password };
    check(deps, trunk, change.password);
    const row = await updateTrunk(deps.db, accountId, uuid, trunk);
    if (!row) throw nameTaken();
    await tell(deps, accountId, uuid, 'changed');
    return row;
  });

export const deleteTrunk = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  changing(deps, accountId, async (deps) => {
    if (!(await deleteTrunkRow(deps.db, accountId, uuid))) throw notFound();
    await tell(deps, accountId, uuid, 'deleted');
  });

async function changing<T>(deps: Deps, accountId: string, change: (deps: Deps) => Promise<T>): Promise<T> {
  return within(deps, async (deps) => {
    const result = await change(deps);
    deps.listener.signal(topic, accountId);
    return result;
  });
}

const tell = ({ db }: Deps, accountId: string, subject: string, step: string): Promise<void> =>
  appendEvents(db, [{ accountId, subjectType, subject, kind: `${subjectType}.${step}` }]);

const nameTaken = () => new ValidationError({ name: ['This field must be unique.'] });

const sealed = ({ vault }: Deps, password: string | undefined): string | null =>
  password ? vault.seal(password) : null;

/** `password` is the one that was given now; of trunks that have a shorter one from before, other fields can be changed. */
function check({ guards }: Deps, trunk: TrunkFields, password: string | undefined): void {
  const errors: FieldErrors = {};
  // Names are checked whenever they are looked up.
  if (isIP(trunk.host) !== 0 && !guards.sip.isAllowed(trunk.host)) {
    errors['host'] = [refusalOf('SIP_ALLOW')];
  }
  if (trunk.srtp !== 'off' && trunk.transport !== 'tls') {
    errors['srtp'] = ['SRTP keys are only exchanged over TLS: set transport to tls.'];
  }
  if (trunk.tls_ca !== null && !isCertificate(trunk.tls_ca)) errors['tls_ca'] = ['Enter certificates in PEM format.'];
  if (trunk.tls_client_name !== null && trunk.tls_ca === null) {
    errors['tls_ca'] = ['Enter the authority that signs the certificates of callers, in PEM.'];
  }
  if (trunk.register && trunk.username === '') errors['username'] = ['This field is required to register.'];
  if (trunk.register && trunk.password === null) errors['password'] = ['This field is required to register.'];
  if (password && password.length < leastTrunkPassword) {
    errors['password'] = [`Ensure this field has at least ${leastTrunkPassword} characters.`];
  }
  if (!trunk.allowed_addresses.every(isNetwork)) {
    errors['allowed_addresses'] = ['Enter addresses or networks, such as 192.0.2.1 or 192.0.2.0/24.'];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

function isCertificate(pem: string): boolean {
  try {
    // The first one, and all that follow.
    return new X509Certificate(pem).subject !== '' && certificatesIn(pem).length > 0;
  } catch {
    return false;
  }
}

/** As PostgreSQL has it: no bits beyond the mask. Not the whole world either: such a trunk would let everybody in. */
function isNetwork(text: string): boolean {
  const network = parseNetwork(text);
  return network !== undefined && network.bits >= 8 && !hasHostBits(network);
}
