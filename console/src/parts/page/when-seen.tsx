import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** Shows its children, and so asks for their data, once it is in sight; until then it keeps their place. */
export function WhenSeen({ height, children }: { height: number; children: ReactNode }) {
  const { ref, entry } = useIntersection<HTMLDivElement>();
  const [seen, setSeen] = useState(false);
  if (!seen && entry?.isIntersecting) setSeen(true);
  return seen ? children : <div ref={ref} style={{ minHeight: height }} />;
}
