import { connect, createServer } from 'node:net';

/** What passed through a proxy so far. */
export interface Traffic {
  /** Bytes that the target sent. */
  readonly received: number;
  /** Bytes that the server sent. */
  readonly sent: number;
  /** Statements that the server executed, if the target is PostgreSQL. */
  readonly statements: number;
}

/** A proxy that counts what passes between the server and its database or store. */
export interface CountingProxy {
  /** `host:port` of 127.0.0.1. */
  readonly host: string;
  traffic(): Traffic;
  close(): Promise<void>;
}

/** Starts a proxy to a host and port, on a free port. */
export async function startCountingProxy({ hostname, port }: URL): Promise<CountingProxy> {
  let received = 0;
  let sent = 0;
  let statements = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const count = countStatements();
    near.on('data', (bytes: Buffer) => {
      sent += bytes.length;
      statements += count(bytes);
    });
    far.on('data', (bytes) => {
      received += bytes.length;
    });
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    traffic: () => ({ received, sent, statements }),
    close: () => new Promise((done) => server.close(() => done())),
  };
}

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/**
 * Counts PostgreSQL's Execute and Query messages in the chunks of one connection. A message has a type of one byte and
 * its length in four; only the first one of a connection has no type.
 */
function countStatements(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0);
  let typeLength = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      if (typeLength === 1 && (rest[0] === EXECUTE || rest[0] === QUERY)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return found;
  };
}
