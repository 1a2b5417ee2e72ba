import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import type { SortedItemProps, SortedListProps } from './sorted.tsx';

const instructions =
  'Press space to pick a route up, the arrow keys to move it, space to put it down, Escape to leave it where it was.';

/** A list whose items can be moved by dragging or with the keyboard. Loaded after the page is there: see `sorted.tsx`. */
export function SortableList({ keys, titleOf, move, children }: SortedListProps) {
  const sensors = useSensors(
    // A few pixels, so that a click stays a click.
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (key: UniqueIdentifier): number => keys.indexOf(String(key));
  const nameOf = (key: UniqueIdentifier): string => titleOf(placeOf(key));
  const end = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(placeOf(active.id), placeOf(over.id));
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => `${nameOf(active.id)} is picked up, at place ${placeOf(active.id) + 1}.`,
    onDragOver: ({ active, over }) =>
      over ? `${nameOf(active.id)} is over place ${placeOf(over.id) + 1} of ${keys.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      over ? `${nameOf(active.id)} was put down at place ${placeOf(over.id) + 1}.` : 'It was put back.',
    onDragCancel: ({ active }) => `${nameOf(active.id)} was left where it was.`,
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{ announcements, screenReaderInstructions: { draggable: instructions } }}
    >
      <SortableContext items={[...keys]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

export function SortableItem({ id, children }: SortedItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return children({
    item: {
      ref: setNodeRef,
      'data-dragging': isDragging,
      style: {
        ...(transform && { transform: `translate3d(${Math.round(transform.x)}px, ${Math.round(transform.y)}px, 0)` }),
        ...(transition && { transition }),
      },
    },
    handle: { ref: setActivatorNodeRef, ...attributes, ...listeners },
  });
}
