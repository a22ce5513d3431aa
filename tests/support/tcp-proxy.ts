import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy between the server and its database or photo store, to simulate network failures. */
export interface TcpProxy {
  /** The target URL with the host and port of the proxy. */
  readonly url: string;
  /** Closes all connections and refuses new ones, as if the target had been stopped. */
  cut(): Promise<void>;
  /** Stops forwarding but keeps connections open, as if the target's machine had vanished. */
  silence(): void;
  /** Forwards again after `cut` or `silence`. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy to a URL on a free port. */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    if (isSilent) return track(near);
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      track(one);
      one.on('close', () => other.destroy());
    }
    near.pipe(far).pipe(near);
  });
  await listen(server, 0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(to);
  url.port = String(port);
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async () => {
    const closed = new Promise((done) => server.close(done));
    destroyAll();
    await closed;
  };
  return {
    url: url.href,
    cut,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: async () => {
      if (!isSilent) return listen(server, port);
      isSilent = false;
      destroyAll();
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      done();
    });
  });
}
