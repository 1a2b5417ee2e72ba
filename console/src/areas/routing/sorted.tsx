import { type ComponentType, type ReactNode, type Ref, type RefObject, useEffect, useState } from 'react';

/** A list of items with keys, in an order that can be changed. */
export interface SortedListProps {
  keys: readonly string[];
  titleOf(place: number): string;
  move(from: number, to: number): void;
  children: ReactNode;
}

/** What an item gives to its element and to its handle. */
export interface Sorting {
  item: { ref?: Ref<HTMLLIElement>; style?: object; 'data-dragging'?: boolean };
  handle: object;
}

export interface SortedItemProps {
  id: string;
  children(sorting: Sorting): ReactNode;
}

interface Sorted {
  List: ComponentType<SortedListProps>;
  Item: ComponentType<SortedItemProps>;
}

/** Until the library is there the items stay where they are. */
const still: Sorted = {
  List: ({ children }) => children,
  Item: ({ children }) => children({ item: {}, handle: {} }),
};

/**
 * The parts of a list that can be sorted. The library that drags comes after the first paint, and takes over as soon as the focus is
 * not in the list: its items are made anew then.
 */
export function useSorted(list: RefObject<HTMLElement | null>): Sorted {
  const [sorted, setSorted] = useState(still);
  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      const { SortableList, SortableItem } = await import('./sorting.tsx');
      const take = (): void => {
        if (isOver) return;
        if (list.current?.contains(document.activeElement)) list.current.addEventListener('focusout', later, once);
        else setSorted({ List: SortableList, Item: SortableItem });
      };
      // The focus is nowhere while it moves from one element to the next.
      const later = () => setTimeout(take);
      take();
    };
    // Without it routes keep their order, and everything else can be changed.
    load().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [list]);
  return sorted;
}

const once = { once: true };
