import { Type } from 'typebox';

export const roles = ['api', 'worker', 'connector', 'console'] as const;
export type Role = (typeof roles)[number];

export const pricesDescription = 'What a number costs per month, by country, as JSON such as {"GB":0.8,"default":1}.';
export const usualPrices = '{"default":1}';
export const trustDescription =
  'Whose X-Forwarded-For and -Proto are believed: how many proxies stand before this server (1), their networks ' +
  '(10.0.0.0/8,fd00::/8), false: nobody, true: everybody, so that clients can give any address.';
export const networksExample = 'such as 10.1.0.0/16,192.168.1.5,fd00::/8. Empty: none.';

/** Every setting, read from the environment once. `.env.example` is generated from these descriptions. */
export const Settings = Type.Object({
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on; 0.0.0.0 for all interfaces.',
  }),
  TLS_CERT_FILE: Type.String({
    default: '',
    description:
      'A certificate in PEM, followed by those of its authorities. With it and TLS_KEY_FILE, PORT speaks HTTPS. Read again when the file ' +
      'changes, and on SIGHUP. Empty: plain HTTP, as behind a proxy.',
  }),
  TLS_KEY_FILE: Type.String({
    default: '',
    description: 'The private key of that certificate, in PEM without a password.',
  }),
  HTTP_REDIRECT_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'With HTTPS: a port for plain HTTP that only redirects to it. 0: none.',
  }),
  HSTS_SECONDS: Type.Integer({
    default: 31_536_000,
    minimum: 0,
    maximum: 63_072_000,
    description:
      'How long browsers are told to use HTTPS alone (Strict-Transport-Security), in answers over HTTPS. 0: they are not told.',
  }),
  HSTS_BEHIND_PROXY: Type.Boolean({
    default: false,
    description:
      'Tell browsers so behind a proxy, too, if a proxy that TRUST_PROXY names says that it was called by HTTPS.',
  }),
  DATABASE_URL: Type.String({
    default: '',
    pattern: '^$|^postgres(ql)?://',
    description:
      'Your own PostgreSQL 15 or newer. Several hosts, as in postgresql://user@one:5432,two:5432/parley: the one that takes writes is used. Empty: an embedded PostgreSQL in DATA_DIR.',
  }),
  DATABASE_DIRECT_URL: Type.String({
    default: '',
    pattern: '^$|^postgres(ql)?://',
    description:
      'The server itself, where DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer: for the session that listens, and for migrations.',
  }),
  DATABASE_READ_URL: Type.String({
    default: '',
    pattern: '^$|^postgres(ql)?://',
    description:
      'A replica of the database, from which lists and insights are read while it is up to date. One server, and no balancer over several.',
  }),
  DATABASE_DISTRIBUTED: Type.Enum(['', 'citus'], {
    default: '',
    description:
      'citus: DATABASE_URL is the coordinator of a Citus cluster, over which tables that are not distributed yet are distributed at the start.',
  }),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'How long a statement of a request may take; one that takes longer is answered 503. Background work has no limit.',
  }),
  DATABASE_LOCK_TIMEOUT_SECONDS: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 3600,
    description:
      'How long a statement of a request waits for a lock that somebody else holds, such as a migration of yours.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Embedded database, audio, media, recordings.',
  }),
  WAL_ARCHIVE: Type.String({
    default: '',
    description:
      'A directory, best on another disk, where the write-ahead log of the embedded PostgreSQL is kept, so that `parley restore --at` can take a backup ' +
      'to any moment after it. See docs/operations/backup.md. Empty: backups alone.',
  }),
  FILES_URL: Type.String({
    default: '',
    description:
      'Where files are: s3://bucket/prefix, with ?endpoint=…&region=… for a store other than Amazon S3, and KEY:SECRET@ before ' +
      'the bucket, or else the usual AWS_ variables. Empty: in DATA_DIR.',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    pattern: '^$|^https?://[^\\s]+$',
    description:
      'How the outside world reaches this server, for links and webhooks. Empty: http://HOST:PORT, or https:// with TLS_CERT_FILE.',
  }),
  BOOTSTRAP_TOKEN: Type.String({
    default: '',
    pattern: '^[\\x21-\\x7e]{0,200}$',
    description:
      'Ensured to be a full token of the first account at every start; at least 16 characters, unless HOST is a loopback ' +
      'address. Empty: one is made at the first start.',
  }),
  PRINT_SECRETS: Type.Enum(['always', 'terminal'], {
    default: 'always',
    description:
      'Where the first token and password are shown: always on standard output; or only on a terminal, and else written to ' +
      'DATA_DIR/first-secrets, which only the owner can read. For servers whose output is kept in a log.',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    pattern: '^[\\x21-\\x7e]{0,200}$',
    description:
      'Asked for at /metrics, as `Authorization: Bearer …`; at least 16 characters, unless HOST is a loopback address. Empty: ' +
      'whoever reaches the server can read /metrics.',
  }),
  AUDIT_RETENTION_DAYS: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 3650,
    description: 'How long the audit log is kept at least, whatever the retention_days of an account.',
  }),
  SECRET_KEY: Type.String({
    default: '',
    description: 'Encrypts stored carrier secrets; keep it long and random. Empty: made once and kept in DATA_DIR.',
  }),
  SECRET_KEYS: Type.String({
    default: '',
    description:
      'Several keys instead of SECRET_KEY, the newest first, separated by commas: the first one encrypts, all of them decrypt. See ' +
      'docs/operations/keys.md.',
  }),
  SECRET_KEYS_COMMAND: Type.String({
    default: '',
    description:
      'Instead of SECRET_KEYS: a command of the shell that prints the keys, one in each line, the newest first.',
  }),
  SECRET_KEYS_URL: Type.String({
    default: '',
    pattern: '^$|^https?://[^\\s]+$',
    description:
      'Instead of SECRET_KEYS: the address of a key service that answers with the keys, one in each line, or as {"keys": ["…"]}.',
  }),
  SECRET_KEYS_TOKEN: Type.String({
    default: '',
    pattern: '^[\\x21-\\x7e]{0,4000}$',
    description: 'Sent to SECRET_KEYS_URL as `Authorization: Bearer …`. Empty: nothing is sent.',
  }),
  SECRET_KEY_CHANGED: Type.Boolean({
    default: false,
    description:
      'Start though SECRET_KEY is not the one that stored secrets were encrypted with; these have to be set anew. For one start.',
  }),
  ROLES: Type.String({
    default: 'all',
    description: `What this process does: all, or any of ${roles.join(', ')} separated by commas.`,
  }),
  PROCESSES: Type.String({
    default: 'auto',
    pattern: '^(auto|[1-9]|[1-5]\\d|6[0-4])$',
    description:
      'How many processes serve, 1 to 64; auto: 1 on one or two cores, else one for each core but one, at most 8. See ' +
      'docs/operations/scaling.md.',
  }),
  REQUESTS_PER_MINUTE: Type.Integer({
    default: 600_000,
    minimum: 1,
    description: 'Requests an account may make in a minute, with all its tokens, unless it has a limit of its own.',
  }),
  UNAUTHENTICATED_REQUESTS_PER_MINUTE: Type.Integer({
    default: 6_000,
    minimum: 1,
    description: 'Requests without a valid token that one client address may make in a minute; more get 429.',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: 'Open HTTP connections, of all clients together; more get 503.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: 1_000,
    minimum: 1,
    description: 'Open HTTP connections of one client address (IPv6: of one /64). Those of proxies are not counted so.',
  }),
  HEADERS_TIMEOUT_SECONDS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3_600,
    description: 'How long a client may take to send the headers of a request.',
  }),
  BODY_TIMEOUT_SECONDS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3_600,
    description: 'In each such span the body of a request has to be complete, or to move at the rate below; else 408.',
  }),
  BODY_MIN_BYTES_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    description: 'The slowest rate of a body that is still waited for, however long a large upload takes.',
  }),
  IDLE_TIMEOUT_SECONDS: Type.Integer({
    default: 300,
    minimum: 1,
    maximum: 86_400,
    description: 'A connection on which nothing moves for so long is closed; above 15 for the event stream.',
  }),
  STORAGE_BYTES_PER_ACCOUNT: Type.Integer({
    default: 100 * 1024 ** 3,
    minimum: 0,
    description:
      'How much room the files of an account may take, unless it has a limit of its own: media, audio, recordings, exports. 0: any.',
  }),
  TRUST_PROXY: Type.String({
    default: 'false',
    description: trustDescription,
  }),
  WEBHOOK_ALLOW_PRIVATE: Type.Boolean({
    default: false,
    description: 'Send webhooks to private and loopback addresses too; for development only.',
  }),
  WEBHOOK_ALLOW: Type.String({
    default: '',
    description:
      `Networks that webhooks and callbacks may go to though they are not public, ${networksExample} Only this machine itself ` +
      'is allowed then, if the server is started in a terminal and listens on a loopback address, with neither PUBLIC_URL nor TRUST_PROXY. ' +
      '`none`: none at all.',
  }),
  SIP_ALLOW: Type.String({
    default: '',
    description: `Networks that SIP trunks and calls may go to though they are not public, ${networksExample}`,
  }),
  SMPP_ALLOW: Type.String({
    default: '',
    description: `Networks that SMPP links may go to though they are not public, ${networksExample}`,
  }),
  SSO_ALLOW: Type.String({
    default: '',
    description: `Networks that identity providers may be in though they are not public, ${networksExample}`,
  }),
  CLOUD_API_URL: Type.String({
    default: 'https://graph.facebook.com',
    pattern: '^https?://[^\\s]+[^\\s/]$',
    description: "The chat-app platform's Cloud API; `npm run cloud-simulator` gives one to try.",
  }),
  CLOUD_API_VERSION: Type.String({
    default: 'v26.0',
    pattern: '^v\\d+\\.\\d+$',
    description: 'Version of the Cloud API that every call names.',
  }),
  CLOUD_API_TIMEOUT_SECONDS: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 300,
    description: 'How long an answer of the Cloud API is waited for; a message without one is marked unknown.',
  }),
  SIP_HOST: Type.String({
    default: '0.0.0.0',
    minLength: 1,
    description: 'Address to listen on for SIP and speech, while there is a SIP trunk.',
  }),
  SIP_PORT: Type.Integer({
    default: 5060,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on for SIP, UDP and TCP; 0 takes a free one.',
  }),
  SIP_TLS_PORT: Type.Integer({
    default: 5061,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on for SIP over TLS, if there is a certificate; 0 takes a free one.',
  }),
  SIP_TLS_CERT_FILE: Type.String({
    default: '',
    description:
      'The certificate for SIP over TLS, in PEM, and shown to carriers that ask for one. Read again when it changes. Empty: TLS_CERT_FILE, if ' +
      'that is set; without either, trunks with TLS can call, but not be called.',
  }),
  SIP_TLS_KEY_FILE: Type.String({ default: '', description: 'The private key of that certificate.' }),
  SIP_PUBLIC_ADDRESS: Type.String({
    default: '',
    pattern: '^[0-9A-Fa-f.:]*$',
    description:
      'The address that carriers reach this server by, behind a NAT. Empty: that of the interface they are on.',
  }),
  RTP_PORTS: Type.String({
    default: '20000-29999',
    pattern: '^\\d{4,5}-\\d{4,5}$',
    description: 'UDP ports for speech, two for each person in a call.',
  }),
  RTP_THREADS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 64,
    description: 'Threads that carry speech, each some 500 calls.',
  }),
  CALL_DRAIN_SECONDS: Type.Integer({
    default: 15,
    minimum: 0,
    maximum: 86_400,
    description: 'How long calls may go on when the server is stopped, before they are ended; new ones go elsewhere.',
  }),
  ASTERISK_URL: Type.String({
    default: '',
    pattern: '^$|^https?://[^\\s]+[^\\s/]$',
    description: 'Where an Asterisk of yours is, such as http://127.0.0.1:8088; it carries calls. Empty: none.',
  }),
  ASTERISK_APP: Type.String({
    default: 'parley',
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'What Stasis() names in its dialplan; each process with the role connector needs one of its own.',
  }),
  ASTERISK_USER: Type.String({ default: '', description: 'User of its ari.conf.' }),
  ASTERISK_PASSWORD: Type.String({ default: '', description: 'The password of that user.' }),
  ASTERISK_ENDPOINT: Type.String({
    default: 'PJSIP/{number}@trunk',
    pattern: '\\{(number|digits)\\}',
    description: 'What it dials for a number; {digits} is the number without its plus.',
  }),
  ASTERISK_SIP_ENDPOINT: Type.String({
    default: '',
    pattern: '^$|\\{address\\}',
    description: 'What it dials for a SIP address, such as PJSIP/trunk/{address}. Empty: these are not called.',
  }),
  ASTERISK_SOUNDS: Type.String({
    default: '',
    pattern: '^$|^/|^https?://',
    description: 'How Asterisk reaches DATA_DIR/asterisk: a path, or the address of a web server. Empty: as we do.',
  }),
  SPEECH_PROGRAM: Type.String({
    default: 'espeak-ng',
    pattern: '^[^\\x00-\\x1f]{0,1000}$',
    description:
      'Speaks `tts` in languages other than English: the name or path of espeak-ng. Where it is missing, or empty: only English.',
  }),
  NUMBER_PRICES: Type.String({
    default: usualPrices,
    description: pricesDescription,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    pattern: '^$|^https?://[^\\s]+$',
    description:
      'A collector that takes OpenTelemetry traces over OTLP/HTTP, such as http://127.0.0.1:4318; OTEL_EXPORTER_OTLP_HEADERS is heeded, ' +
      'too. Empty: no traces.',
  }),
  OTEL_SERVICE_NAME: Type.String({
    default: 'parley',
    minLength: 1,
    maxLength: 255,
    description: 'What traces call this service.',
  }),
  OTEL_TRACES_SAMPLER: Type.Enum(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    {
      default: 'parentbased_always_on',
      description:
        'Which messages are traced: always_on, always_off, or traceidratio for the share in OTEL_TRACES_SAMPLER_ARG; the same with ' +
        'parentbased_ before it.',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'The share of messages that are traced, from 0 to 1, for OTEL_TRACES_SAMPLER=traceidratio.',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description: 'trace, debug (one line per request), info, warn, error or silent.',
  }),
});
