import { type Kysely, PostgresAdapter } from 'kysely';
import { type Content, makeContent } from '../../content/content.ts';
import type { DB } from '../types.ts';

/** What a process knows of its database. Every handle carries it, so that a statement finds it, also inside a transaction. */
export interface Traits<C extends Content = Content> {
  /** How content is stored. */
  readonly content: C;
  /**
   * Whether the tables are spread over shards. A few statements have another text then, because Citus can neither run a recursive
   * statement nor lock rows over several shards at once. Known after `readLayout`.
   */
  isDistributed: boolean;
}

export const makeTraits = () => ({ content: makeContent(), isDistributed: false }) satisfies Traits;

export class DatabaseAdapter extends PostgresAdapter {
  readonly traits: Traits;
  constructor(traits: Traits) {
    super();
    this.traits = traits;
  }
}

export const traitsOf = (db: Kysely<DB>): Traits => (db.getExecutor().adapter as DatabaseAdapter).traits;

/** How content is stored in this database. */
export const contentOf = (db: Kysely<DB>): Content => traitsOf(db).content;

export const isDistributed = (db: Kysely<DB>): boolean => traitsOf(db).isDistributed;
