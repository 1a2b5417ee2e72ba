import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { covers } from '../api/may.ts';
import { scopesToChange, scopesToSee } from '../needs.ts';
import { useHere } from './account.tsx';

const coverOne = (granted: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((scope) => covers(granted, scope));

/** Whether whoever is signed in has this scope: `useMay('chatapp:write')`. */
export const useMay = (scope: string): boolean => covers(useHere().session.scopes, scope);

/** Tells of addresses of the console whether they may be seen: `maySee('/intros/new')`. */
export function useMaySee(): (address: string) => boolean {
  const { scopes } = useHere().session;
  return (address) => coverOne(scopes, scopesToSee(address));
}

/** Whether something may be changed on this page. */
export function useMayChange(): boolean {
  const [location] = useLocation();
  return coverOne(useHere().session.scopes, scopesToChange(location));
}

/** As `useMayChange`, or whether one has that scope where it is given. */
export function useMaySend(scope: string | undefined): boolean {
  const here = useMayChange();
  const { scopes } = useHere().session;
  return scope === undefined ? here : covers(scopes, scope);
}

/**
 * Shows its children to whoever may change something on this page, or has the scope that is given.
 * `<May scope="sms:write"><Button …>Send an SMS</Button></May>`
 */
export const May = ({ scope, children }: { scope?: string; children: ReactNode }) =>
  useMaySend(scope) ? children : null;
