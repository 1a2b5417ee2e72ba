// PostgreSQL is away for seconds, again and again, under load: what was accepted arrives, once, and says nothing of it.
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kit/until.ts';
import { type Stage, startStage } from './database-load.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  await stage.send();
});
after(() => stage.close());

it('a database that is away for a while costs answers of 503, and no message', async (t) => {
  const isNoticed = () => [...stage.answers.keys()].some((answer) => answer.startsWith('503'));
  let isOver = false;
  const sending = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) await stage.send();
    }),
  );
  for (let round = 0; round < 4; round++) {
    // Somewhere in the middle of what goes on.
    await sleep(400 + 50 * round);
    stage.proxy.goAway();
    await sleep(500);
    // The last time for longer.
    if (round === 3) await until(isNoticed);
    if (round === 3) await sleep(2500);
    stage.proxy.comeBack();
  }
  await stage.send();
  isOver = true;
  await sending;
  await stage.settle();
  t.diagnostic(JSON.stringify([...stage.answers]));
});
