import autocannon from 'autocannon';

const SECONDS = 3;

/** Measures the requests per second that a URL answers on ten connections. Throws if one of them fails. */
export async function measureRate(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const result = await autocannon({ url, connections: 10, duration: SECONDS, headers });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} error responses, ${result.errors} errors`);
  return result.requests.average;
}
