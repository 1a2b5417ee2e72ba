import { Type } from 'typebox';
import type { EventData } from '../webhooks/index.ts';
import { OwnedNumber } from './schemas.ts';

const ReleasedNumber = Type.Object(
  { number: Type.String({ description: 'E.164, with the plus.' }) },
  { title: 'ReleasedNumber' },
);

export const numberEvents = {
  'number.assigned': OwnedNumber,
  'number.released': ReleasedNumber,
} satisfies EventData;
