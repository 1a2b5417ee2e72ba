const { hostname } = window.location;

/** On the machine itself somebody tries things out: there the printed password may wait. */
export const isLoopback =
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
