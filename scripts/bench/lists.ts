import autocannon from 'autocannon';
import type { BenchServer } from './bench-server.ts';
import { median, planDate, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 5;
const SECONDS = 3;

/** Measures a list of 50 dates against a prepared response with the same bytes from the same server. */
export async function benchLists(): Promise<Figure[]> {
  const server = await startBenchServer();
  try {
    for (let day = 1; day <= 50; day += 1) await planDate(server, day);
    const list: unknown = await (await server.send('GET', '/api/PlannedDates')).json();
    await server.send('PUT', '/bench/prepared', list as object);
    const ratios: number[] = [];
    let rate = 0;
    // Alternating, so that changes in machine speed affect both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const floor = await measureRate(server, '/bench/prepared');
      rate = await measureRate(server, '/api/PlannedDates');
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

async function measureRate(server: BenchServer, path: string): Promise<number> {
  const result = await autocannon({
    url: server.url + path,
    connections: 10,
    duration: SECONDS,
    headers: { authorization: `Bearer ${server.token}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} error responses, ${result.errors} errors`);
  return result.requests.average;
}
