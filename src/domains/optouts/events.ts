import { Type } from 'typebox';
import type { EventData } from '../webhooks/index.ts';
import { OptOutEvent } from './schemas.ts';

const { action, phone_number, channel, source, text } = OptOutEvent.properties;
const OptOutChange = Type.Object({ action, phone_number, channel, source, text }, { title: 'OptOutChange' });

export const optOutEvents = { 'optout.changed': OptOutChange } satisfies EventData;
