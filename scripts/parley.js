#!/usr/bin/env node
// The `parley` command: hands over to the Node that npm brought, as the one on the machine may be too old for it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const brought = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const node = existsSync(brought) ? brought : process.execPath;
// As in package.json: V8 would take a hundred megabytes more for what lives shortly, and gain nothing by it.
const program = ['--max-semi-space-size=32', path.join(root, 'src', 'cli', 'main.ts')];
const child = spawn(node, [...program, ...process.argv.slice(2)], { stdio: 'inherit' });
// Ctrl-C reaches both; the command itself decides how it ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
