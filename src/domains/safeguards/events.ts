import { Type } from 'typebox';
import type { EventData } from '../webhooks/index.ts';
import { Incident } from './schemas.ts';

const { uuid, rule, channel, subject, status, sender, recipient } = Incident.properties;
const SafeguardRefused = Type.Object(
  { uuid, rule, channel, subject, status, sender, recipient },
  { title: 'SafeguardRefused' },
);

export const safeguardEvents = { 'safeguard.refused': SafeguardRefused } satisfies EventData;
