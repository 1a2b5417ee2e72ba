import { CarrierRefusal } from '../../../src/carriers/ports/carriers.ts';
import type { CarrierFlow, CarrierFlows } from '../../../src/carriers/ports/chat.ts';

type Step = 'list' | 'create' | 'update' | 'draw' | 'remove' | 'publish' | 'deprecate' | 'preview';

/** A platform small enough to be read: it keeps flows, and does what a test wants it to do wrong. */
export class FlowPlatform implements CarrierFlows {
  readonly flows = new Map<string, CarrierFlow & { definition: object | null }>();
  readonly calls: Step[] = [];
  /** What the next call of a step ends with. `lost`: it is done, but nobody hears of it. */
  readonly troubles = new Map<Step, CarrierRefusal | 'lost'>();
  /** Runs before the answer of a step goes out. */
  meanwhile: ((step: Step) => Promise<unknown>) | undefined;

  async #take<T>(step: Step, work: () => T): Promise<T> {
    this.calls.push(step);
    const trouble = this.troubles.get(step);
    this.troubles.delete(step);
    if (trouble instanceof CarrierRefusal) throw trouble;
    const answer = work();
    await this.meanwhile?.(step);
    if (trouble === 'lost') throw new CarrierRefusal('no_answer', 'No answer came.', { temporary: true });
    return answer;
  }

  #flow(id: string): CarrierFlow & { definition: object | null } {
    const flow = this.flows.get(id);
    if (!flow) throw new CarrierRefusal('100', 'There is no such flow.');
    return flow;
  }

  #move(id: string, from: string, to: string): void {
    const flow = this.#flow(id);
    if (flow.status !== from) throw new CarrierRefusal('139002', `Only one that is ${from} can be ${to}.`);
    flow.status = to;
  }

  list() {
    return this.#take('list', () => structuredClone([...this.flows.values()]));
  }
  create(_sender: unknown, { name, categories, definition }: Parameters<CarrierFlows['create']>[1]) {
    return this.#take('create', () => {
      if ([...this.flows.values()].some((flow) => flow.name === name)) {
        throw new CarrierRefusal('100', 'Flow name is not unique.');
      }
      const flow = {
        id: `f${this.flows.size + 1}`,
        name,
        status: 'DRAFT',
        categories,
        validationErrors: [],
        definition,
      };
      this.flows.set(flow.id, flow);
      return structuredClone(flow);
    });
  }
  update(_sender: unknown, id: string, change: { name?: string; categories?: string[] }) {
    return this.#take('update', () => void Object.assign(this.#flow(id), change));
  }
  draw(_sender: unknown, id: string, definition: object): Promise<object[]> {
    return this.#take('draw', () => {
      this.#flow(id).definition = definition;
      return [];
    });
  }
  remove(_sender: unknown, id: string) {
    return this.#take('remove', () => {
      if (this.#flow(id).status !== 'DRAFT') throw new CarrierRefusal('139004', 'Only drafts are deleted.');
      this.flows.delete(id);
    });
  }
  publish(_sender: unknown, id: string) {
    return this.#take('publish', () => this.#move(id, 'DRAFT', 'PUBLISHED'));
  }
  deprecate(_sender: unknown, id: string) {
    return this.#take('deprecate', () => this.#move(id, 'PUBLISHED', 'DEPRECATED'));
  }
  preview(_sender: unknown, id: string) {
    return this.#take('preview', () => {
      const previewUrl = `https://platform.example/preview/${this.#flow(id).id}`;
      return { previewUrl, expiresAt: new Date('2027-01-01T00:00:00Z') };
    });
  }
}
