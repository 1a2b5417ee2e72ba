/** What `npm start` builds before it starts, each unless it is up to date: the console for browsers, and the server's bundle. */
await import('./build-console.ts');
await import('./build-server.ts');
