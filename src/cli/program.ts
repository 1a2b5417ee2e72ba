import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { productVersion } from '../platform/version.ts';
import { type Api, makeApi } from './api.ts';
import { completionsFor, type Shell, shells } from './completions.ts';

type Environment = Record<string, string | undefined>;

const intro =
  'Parley on the command line. `serve`, `migrate`, `distribute`, `files`, `doctor`, `secrets`, `audit`, `backup`, `restore` and `users` work on this machine and take their settings from the environment (see ' +
  '.env.example). All other commands talk to a server over its API: --url and --token say to which, and as whom.';

/** The command line. `onExit` hears the exit code of a command that ends with another than 0. */
export function makeProgram(env: Environment, onExit: (code: number) => void): Command {
  const program = new Command('parley').description(intro).showHelpAfterError('Add --help to see how it is used.');
  program
    .exitOverride()
    .version(productVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command]', 'show how a command is used');

  program
    .command('serve')
    .description('run the server, as `npm start` does')
    .addHelpText('after', examples('parley serve', 'PORT=9000 DATA_DIR=/var/lib/parley parley serve'))
    .action(async () => (await import('../serve.ts')).serve(env));
  withJson(program.command('migrate'))
    .description('bring the database up to date, and end')
    .addHelpText('after', examples('DATABASE_URL=postgres://… parley migrate'))
    .action(async (options) => (await import('./database/migrate.ts')).migrateDatabase(env, options));

  withJson(program.command('distribute'))
    .option('--dry-run', 'say which table becomes what, and do nothing')
    .description('spread the tables of a migrated database over a Citus cluster by account, and end')
    .addHelpText('after', examples('DATABASE_URL=postgres://… parley distribute --dry-run'))
    .action(async (options) => (await import('./database/distribute.ts')).distributeDatabase(env, options));

  const files = program.command('files').description('where the files are');
  withJson(files.command('move'))
    .addOption(new Option('--to <place>', 'where they go').choices(['store', 'disk']).makeOptionMandatory())
    .description('move all files from DATA_DIR to the store of FILES_URL, or back, while no server runs')
    .addHelpText('after', examples('FILES_URL=s3://… parley files move --to store'))
    .action(async (options) => (await import('./database/move-files.ts')).moveAllFiles(env, options));
  withJson(program.command('doctor'))
    .description('look at settings, machine, database and links, and say what is wrong and what to do')
    .addHelpText(
      'after',
      `${examples('parley doctor', 'parley doctor --json | jq .')}
Nothing is changed. Exit code: 0 all is well, 1 there are warnings, 2 there are problems.`,
    )
    .action(async (options) => onExit(await (await import('./doctor/doctor.ts')).examine(env, options)));
  addSecrets(program, env);
  addAudit(program, env, onExit);
  addBackups(program, env);
  addUsers(program, env);
  addTokens(program);
  addAccounts(program);
  addNumbers(program, onExit);
  addMessages(program);
  addLinks(program);
  program
    .command('completions')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .description('print completions for a shell')
    .addHelpText('after', examples('parley completions bash > /etc/bash_completion.d/parley'))
    .action((shell: Shell) => void process.stdout.write(completionsFor(program, shell)));
  return program;
}

function addSecrets(program: Command, env: Environment): void {
  const secrets = program.command('secrets').description('the keys that stored secrets are encrypted with');
  withJson(secrets.command('status'))
    .description('show the ring of SECRET_KEYS, the data keys, and which key is not needed any more')
    .addHelpText('after', examples('SECRET_KEYS=new,old parley secrets status'))
    .action(async (options) => (await import('./database/secrets.ts')).showSecrets(env, options));
  withJson(secrets.command('rotate'))
    .option('--keep-data-key', 'only wrap the data keys with the first key of the ring')
    .option('--force', 'do not wait for processes that lack the first key of the ring')
    .description('encrypt everything anew with the first key of SECRET_KEYS, while the server runs')
    .addHelpText(
      'after',
      `${examples('SECRET_KEYS=new,old parley secrets rotate')}
It can be stopped at any moment and started again. Afterwards the old key can be removed from SECRET_KEYS.`,
    )
    .action(async (options) => (await import('./database/secrets.ts')).rotateSecrets(env, options));
}

function addAudit(program: Command, env: Environment, onExit: (code: number) => void): void {
  const audit = program.command('audit').description('the audit log; works on the database itself, and needs no token');
  withJson(audit.command('verify'))
    .option('--account <uuid>', 'of one account (default: all)')
    .description('compare the hashes of the audit log: whether entries were changed or removed')
    .addHelpText(
      'after',
      `${examples('parley audit verify', 'parley audit verify --account 0198c0de-…')}
Exit code: 0 all is intact, 1 something was changed or removed, 2 nothing was done.`,
    )
    .action(async (options) => onExit(await (await import('./database/audit.ts')).verifyAudit(env, options)));
  audit
    .command('export')
    .requiredOption('--account <uuid>', 'of which account')
    .description('print the entries of the audit log, oldest first, as JSON lines')
    .addHelpText('after', examples('parley audit export --account 0198c0de-… > audit.jsonl'))
    .action(async (options) => (await import('./database/audit.ts')).exportAudit(env, options));
}

function addBackups(program: Command, env: Environment): void {
  const backup = withJson(program.command('backup'))
    .argument('[file]', 'a new file (default: parley-backup-<time>.tar.zst in this directory)')
    .option('--copy-store', 'with FILES_URL: copy the files of the store, too, instead of listing them')
    .description('write the database, files and secrets of DATA_DIR to one file, while the server runs')
    .addHelpText(
      'after',
      examples('parley backup', 'parley backup /mnt/backups/today.tar.zst', 'parley backup verify today.tar.zst'),
    )
    .action(async (file, options) => (await import('./backup/backup.ts')).backUp(env, file, options));
  withJson(backup.command('verify'))
    .argument('<file>', 'a backup')
    .description('read a backup to its end and compare it with its checksums')
    .action(async (file, _options, command) =>
      (await import('./backup/verify.ts')).verifyBackup(file, command.optsWithGlobals()),
    );
  withJson(backup.command('prune'))
    .argument('<directory>', 'where your backups are')
    .option('--wal-archive <directory>', 'default: WAL_ARCHIVE')
    .description('remove archived WAL that no backup in a directory needs; backups are not touched')
    .addHelpText('after', examples('parley backup prune /mnt/backups'))
    .action(async (directory, _options, command) =>
      (await import('./backup/prune.ts')).pruneWal(env, directory, command.optsWithGlobals()),
    );
  withJson(program.command('restore'))
    .argument('<file>', 'a backup')
    .requiredOption('--data-dir <directory>', 'where it goes: an empty directory, or one that is not there yet')
    .option('--at <time>', 'a moment after the backup, such as 2026-11-18T09:30:00Z, or `latest`; needs archived WAL')
    .option('--wal-archive <directory>', 'with --at: where the WAL was kept (default: WAL_ARCHIVE)')
    .description('make a data directory of a backup')
    .addHelpText(
      'after',
      examples(
        'parley restore today.tar.zst --data-dir /var/lib/parley',
        'parley restore today.tar.zst --data-dir /var/lib/parley --at 2026-11-18T09:30:00Z --wal-archive /mnt/wal',
      ),
    )
    .action(async (file, options) => (await import('./backup/restore.ts')).restore(env, file, options));
}

function addUsers(program: Command, env: Environment): void {
  const users = program
    .command('users')
    .description('who can sign in; works on the database itself, and needs no token');
  withJson(users.command('list'))
    .description('list the users of all accounts')
    .action(async (options) => (await import('./database/users.ts')).listUsers(env, options));
  withJson(users.command('create'))
    .argument('<username>', 'such as ana@example.com')
    .option('--account <uuid>', 'of which account (default: the first one)')
    .option('--role <role>', 'owner, admin, developer, supervisor, agent, analyst, billing, or a role of the account')
    .option('--scope <scope...>', 'what they may do, in place of a role (default: read and write)')
    .description('make a user; the password is asked for, or is the first line of standard input')
    .addHelpText('after', examples('parley users create ana@example.com --role agent'))
    .action(async (username, options) => (await import('./database/users.ts')).createUser(env, username, options));
  withJson(users.command('reset-factors'))
    .argument('<username>', 'as `parley users list` shows it')
    .description('remove the authenticator app, passkeys and recovery codes of somebody who lost them')
    .addHelpText('after', examples('parley users reset-factors admin'))
    .action(async (username, options) => (await import('./database/users.ts')).resetFactors(env, username, options));
  withJson(users.command('set-password'))
    .argument('<username>', 'as `parley users list` shows it')
    .description(
      'set a password that was lost, and end the sessions of the user; asked for, or the first line of standard input',
    )
    .addHelpText('after', examples('parley users set-password admin'))
    .action(async (username, options) => (await import('./database/users.ts')).setPassword(env, username, options));
}

function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('list, create and revoke tokens');
  onServer(tokens.command('list'))
    .description('list the tokens of the account, without their secrets')
    .addHelpText('after', examples('parley tokens list', 'parley tokens list --json | jq .'))
    .action(async (options) => (await import('./accounts.ts')).listTokens(apiOf(options), options));
  onServer(tokens.command('create'))
    .argument('<name>', 'what it is for')
    .option('--scope <scope...>', 'what it may do, such as chatapp:write (default: read and write)')
    .option('--expires <moment>', 'until when, such as 2027-01-01T00:00:00Z')
    .description('create a token and print its secret, once')
    .addHelpText('after', examples('parley tokens create CRM --scope chatapp:read chatapp:write'))
    .action(async (name, options) => (await import('./accounts.ts')).createToken(apiOf(options), name, options));
  onServer(tokens.command('revoke'))
    .argument('<uuid>', 'as `parley tokens list` shows it')
    .description('revoke a token at once')
    .addHelpText('after', examples('parley tokens revoke 0198c0de-0000-7000-8000-000000000000'))
    .action(async (uuid, options) => (await import('./accounts.ts')).revokeToken(apiOf(options), uuid, options));
}

function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description("the accounts of the server (the operator's token)");
  const load = () => import('./accounts.ts');
  const one = (name: string) =>
    onServer(accounts.command(name)).argument('<uuid>', 'as `parley accounts list` shows it');
  onServer(accounts.command('list'))
    .option('--status <status>', 'only ACTIVE, SUSPENDED or DELETING')
    .description('list the accounts')
    .action(async (options) => (await load()).listAccounts(apiOf(options), options));
  withLimits(onServer(accounts.command('create')))
    .argument('<name>', 'what it is called')
    .option('--country <code>', 'in which it writes national numbers (default: GB)')
    .option('--time-zone <zone>', 'such as Europe/London (default: UTC)')
    .description('create an account')
    .addHelpText('after', examples('parley accounts create "Harbour Lettings" --country GB --requests-per-minute 6000'))
    .action(async (name, options) => (await load()).createAccount(apiOf(options), name, options));
  one('show')
    .description('show an account')
    .action(async (uuid, options) => (await load()).showAccount(apiOf(options), uuid, options));
  withLimits(one('limit'))
    .description('set limits of an account; those that are not named stay')
    .addHelpText(
      'after',
      examples('parley accounts limit 0198c0de-… --requests-per-minute 600 --storage-bytes default'),
    )
    .action(async (uuid, options) => (await load()).limitAccount(apiOf(options), uuid, options));
  for (const verb of ['suspend', 'resume'] as const) {
    one(verb)
      .description(verb === 'suspend' ? 'refuse its tokens, and hold what it sends' : 'let it act again')
      .action(async (uuid, options) => (await load()).setAccountStanding(apiOf(options), uuid, verb, options));
  }
  one('token')
    .option('--name <name>', 'what it is for (default: First token)')
    .option('--scope <scope...>', 'what it may do (default: read and write)')
    .description('create a token of the account and print its secret, once')
    .action(async (uuid, options) => (await load()).createAccountToken(apiOf(options), uuid, options));
  one('delete')
    .requiredOption('--confirm <name>', 'the name of the account, to be sure')
    .option('--no-wait', 'do not wait for the end of the job')
    .description('delete an account with all that it has, for good')
    .addHelpText('after', examples('parley accounts delete 0198c0de-… --confirm "Harbour Lettings"'))
    .action(async (uuid, options) => (await load()).deleteAccount(apiOf(options), uuid, options));
}

const withLimits = (command: Command): Command =>
  command
    .option('--requests-per-minute <n>', 'requests of all its tokens; `default`: as the server says', limit)
    .option('--storage-bytes <n>', 'room for its files; `default`: as the server says', limit);

function addNumbers(program: Command, onExit: (code: number) => void): void {
  const numbers = program.command('numbers').description('the pool of numbers that accounts buy from');
  onServer(numbers.command('import'))
    .argument('<file>', 'CSV with a header: number (or msisdn, did), country, prefix, capabilities, carrier')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--errors <file>', 'write every bad row to this CSV file')
    .description("put the numbers of a CSV file into the pool (the operator's token)")
    .addHelpText(
      'after',
      `${examples('parley numbers import dids.csv', 'parley numbers import dids.csv --dry-run --errors bad.csv')}
Comma, semicolon or tab; UTF-8, UTF-16 or Latin-1. Capabilities are separated by | or spaces. The same file twice changes
nothing. Exit code: 0 all rows are in, 1 some were bad, 2 nothing was done.`,
    )
    .action(async (file, options) => {
      const { importNumbers } = await import('./numbers/numbers.ts');
      onExit(await importNumbers(apiOf(options), file, options));
    });
  onServer(numbers.command('withdraw'))
    .argument('<number...>', 'such as +442079460900; those that somebody has stay')
    .description("take numbers out of the pool (the operator's token)")
    .addHelpText(
      'after',
      `${examples('parley numbers withdraw +442079460900 +442079460901')}
Exit code: 0 all are out of the pool, 1 some are not.`,
    )
    .action(async (wanted, options) => {
      const { withdrawNumbers } = await import('./numbers/numbers.ts');
      onExit(await withdrawNumbers(apiOf(options), wanted, options));
    });
}

function addMessages(program: Command): void {
  const messages = program.command('messages').description('chat-app messages, or SMS with --sms');
  const load = () => import('./messages.ts');
  const one = (name: string) =>
    onServer(messages.command(name)).argument('<uuid>', 'of the message').option('--sms', 'it is an SMS');
  onServer(messages.command('list'))
    .option('--sms', 'SMS instead of chat-app messages')
    .option('--status <status>', 'only those in this state, such as FAILED')
    .option('--to <number>', 'only those to this number')
    .option('--count <n>', 'so many of the newest', positiveInteger, 20)
    .description('list the newest messages')
    .addHelpText(
      'after',
      examples('parley messages list --status FAILED', 'parley messages list --sms --count 100 --json'),
    )
    .action(async (options) => (await load()).listMessages(apiOf(options), options));
  one('show')
    .description('show a message')
    .action(async (uuid, options) => (await load()).showMessage(apiOf(options), uuid, options));
  one('explain')
    .description('tell the whole story of a message: its steps, its events, and what its state means')
    .addHelpText('after', examples('parley messages explain 0198c0de-0000-7000-8000-000000000000'))
    .action(async (uuid, options) => (await load()).explainMessage(apiOf(options), uuid, options));
  onServer(program.command('send'))
    .argument('[text...]', 'what to say; or use --template')
    .requiredOption('--from <number>', 'the number of yours that it leaves from')
    .requiredOption('--to <number>', 'who gets it')
    .option('--sms', 'send an SMS instead of a chat-app message')
    .option('--template <name>', 'send a template instead of a text')
    .option('--language <code>', 'of the template, such as en_GB')
    .option('--param <value...>', 'values for the placeholders of its body, in their order')
    .description('send a chat-app message or an SMS')
    .addHelpText(
      'after',
      examples(
        'parley send --from +447700900001 --to +447700900123 Hello there',
        'parley send --from +447700900001 --to +447700900123 --template welcome --param Ada',
        'parley send --sms --from +442079460000 --to +447700900123 Your code is 1234',
      ),
    )
    .action(async (words, options) => (await import('./messages.ts')).send(apiOf(options), words, options));
  onServer(program.command('tail'))
    .option('--after <uuid>', 'begin with what followed this event')
    .option('--kind <start...>', 'only events whose kind begins so, such as message. or chat_intro.clicked')
    .option('--count <n>', 'end after so many events', positiveInteger)
    .description('show what happens, as it happens; --json prints the events as they are, one per line')
    .addHelpText('after', examples('parley tail', 'parley tail --kind message.failed --json'))
    .action(async (options) => (await import('./tail.ts')).tail(apiOf(options), options));
  onServer(program.command('mcp'))
    .description(
      'serve AI assistants over the Model Context Protocol, on standard input and output, with what the token may do',
    )
    .addHelpText(
      'after',
      examples('PARLEY_TOKEN=… parley mcp', 'parley mcp --url https://parley.example.com --token …'),
    )
    .action(async (options) => (await import('./mcp/mcp.ts')).serveAssistant(apiOf(options)));
}

function addLinks(program: Command): void {
  const links = program.command('links').description('links of SMS and SIP trunks, and the state that they are in');
  onServer(links.command('list'))
    .description('list them')
    .action(async (options) => (await import('./links.ts')).listLinks(apiOf(options), options));
  onServer(links.command('show'))
    .argument('<link>', 'its name or uuid')
    .description('show one, without its password')
    .addHelpText('after', examples('parley links show main'))
    .action(async (which, options) => (await import('./links.ts')).showLink(apiOf(options), which, options));
}

const withJson = (command: Command): Command => command.option('--json', 'print JSON for programs');

/** A command that talks to a server. */
const onServer = (command: Command): Command =>
  withJson(command)
    .addOption(new Option('--url <url>', 'the server').env('PARLEY_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--token <token>', 'as whom').env('PARLEY_TOKEN'));

const apiOf = (options: { url: string; token?: string }): Api => makeApi(options);

const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;

function limit(text: string): number | 'default' {
  if (text === 'default') return text;
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError('Give a number, or `default`.');
  return Number(text);
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a number above zero.');
  return Number(text);
}
