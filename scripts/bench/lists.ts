import { median, planDate, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { measureRate } from './measure-rate.ts';

const ROUNDS = 5;

/** Measures a list of 50 dates against a prepared response with the same bytes from the same server. */
export async function benchLists(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    for (let day = 1; day <= 50; day += 1) await planDate(server, day);
    const list: unknown = await (await server.send('GET', '/api/PlannedDates')).json();
    await server.send('PUT', '/bench/prepared', list as object);
    const headers = { authorization: `Bearer ${server.token}` };
    const ratios: number[] = [];
    let rate = 0;
    // Alternating, so that changes in machine speed affect both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const floor = await measureRate(`${server.url}/bench/prepared`, headers);
      rate = await measureRate(`${server.url}/api/PlannedDates`, headers);
      ratios.push(rate / floor);
    }
    return [
      {
        what: 'list of 50 dates : prepared response, requests a second',
        figure: median(ratios).toFixed(2),
        goal: `at least 0.30 (${Math.round(rate)}/s)`,
      },
    ];
  } finally {
    await server.stop();
  }
}
