import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidate, useAct, useList } from '../../../api/index.ts';
import { useConnected, useLiveRefresh } from '../../../live/index.ts';
import { useAfterthought } from '../chat/use-afterthought.ts';
import type { Leg } from '../types.ts';

const path = '/v2/sandbox/calls/';
const duringCallMs = 5000;
const withoutStreamMs = 10_000;

/** The calls of a phone, the latest first, and the one that is going on. */
export function useLegs(number: string) {
  const client = useQueryClient();
  const list = useList(path, { number, ordering: '-created' }, { pageSize: 50 });
  useLiveRefresh(['call.'], [path]);
  useAfterthought(['call.'], path);
  const live: Leg | undefined = list.rows.find(({ state }) => state !== 'ENDED');
  const connected = useConnected();
  const everyMs = live ? duringCallMs : connected ? 0 : withoutStreamMs;
  useEffect(() => {
    if (everyMs === 0) return undefined;
    const timer = setInterval(() => void invalidate(client, [path]), everyMs);
    return () => clearInterval(timer);
  }, [client, everyMs]);
  return { legs: list.rows, live };
}

/** What a person does with a call. */
export function useCallActs() {
  const options = { invalidates: [path] };
  return {
    answer: useAct('post', '/v2/sandbox/calls/{uuid}/answer/', options),
    decline: useAct('post', '/v2/sandbox/calls/{uuid}/decline/', options),
    hangUp: useAct('post', '/v2/sandbox/calls/{uuid}/hangup/', options),
    press: useAct('post', '/v2/sandbox/calls/{uuid}/keys/', options),
  };
}
