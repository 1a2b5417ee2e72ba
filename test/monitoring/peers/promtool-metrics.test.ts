import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { mergeMetrics } from '../../../src/platform/http/metrics.ts';
import { startTestApp } from '../../kit/app.ts';
import { missingPeers } from '../../kit/peers.ts';

describe('promtool', { skip: missingPeers(['promtool', '--version']) }, () => {
  it('finds nothing to improve in the metrics of one process, and of several', async () => {
    const app = await startTestApp();
    try {
      const { body } = await app.app.inject('/metrics');
      const of = [await app.deps.metrics.getMetricsAsJSON(), await app.deps.metrics.getMetricsAsJSON()];
      for (const input of [body, await mergeMetrics({ of, silent: 1, restarts: 2 })]) {
        const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
        assert.equal(status, 0, stdout + stderr);
      }
    } finally {
      await app.close();
    }
  });
});
