/** The nonce of this page: styles made while it runs carry it, as the Content-Security-Policy demands. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The library that locks the scrolling behind a modal looks here.
Object.assign(globalThis, { __webpack_nonce__: nonce || undefined });
