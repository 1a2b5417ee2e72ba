import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missingPeers } from '../../kit/peers.ts';

const cwd = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));
const promtool = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};

describe('promtool', { skip: missingPeers(['promtool', '--version']) }, () => {
  it('takes the configuration and the rules', () => {
    assert.match(promtool('check', 'config', 'prometheus.yml'), /1 rule files found/);
    assert.match(promtool('check', 'rules', 'alerts.yml'), /\d+ rules found/);
  });

  it('finds that every alert fires when it should, and not otherwise', () => {
    assert.match(promtool('test', 'rules', 'alerts.test.yml'), /SUCCESS/);
  });
});
