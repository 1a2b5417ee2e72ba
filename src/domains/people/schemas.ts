import { Type } from 'typebox';
import { FreeForm, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { parts } from './parts.ts';
import { type KnownPerson, mostCounted, mostNewest } from './read.ts';

export const PersonParams = Type.Object({ number: Phone('In any notation.') });

const ofEach = <S extends ReturnType<typeof Type.Integer> | ReturnType<typeof rows>>(schema: S) =>
  Object.fromEntries(parts.map(({ name }) => [name, schema]));
const rows = () => Type.Array(FreeForm());

export const Erasure = Type.Object(
  {
    uuid: Uuid(),
    job: Uuid(),
    erased: Timestamp('When the job had erased all.'),
    by: Type.Object({ type: Type.String(), uuid: Uuid(), name: Type.String() }),
    counts: FreeForm({ description: 'How much went, by kind.', examples: [{ messages: 12, contacts: 1 }] }),
  },
  { title: 'Erasure', description: 'The receipt of an erasure. It names nobody but whoever asked for it.' },
);

export const KnownPersonModel = Type.Object(
  {
    number: Type.String(),
    names: Type.Array(Type.String(), { description: 'What the person is called, by whoever says so.' }),
    counts: Type.Object(ofEach(Type.Integer()), {
      title: 'PersonCounts',
      description: `How much there is of each kind, counted up to ${mostCounted}.`,
    }),
    newest: Type.Object(ofEach(rows()), {
      title: 'PersonNewest',
      description: `The newest ${mostNewest} of each kind.`,
    }),
    erasures: Type.Array(Erasure, { description: 'When this person was erased before.' }),
  },
  { title: 'KnownPerson' },
);

export const presentPerson = ({ erasures, ...person }: KnownPerson) => ({
  ...person,
  erasures: erasures.map(({ uuid, job, created, actor_type, actor_uuid, actor_name, counts }) => ({
    uuid,
    job,
    erased: created,
    by: { type: actor_type, uuid: actor_uuid, name: actor_name },
    counts,
  })),
});
