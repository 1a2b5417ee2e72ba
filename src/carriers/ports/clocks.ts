/**
 * By which processes are told whose time was moved, where a carrier has a time that can be (see `Carrier.clock`). The detail is the
 * account.
 */
export const clockTopic = 'sandbox-clock';
