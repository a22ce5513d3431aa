import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';

/** A network connection of one node, which can be cut. */
export interface Link {
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  mend(): Promise<void>;
}

/** The connections of one node to the database and to the photo store, each through TCP proxies of its own. */
export interface NodeLinks {
  /** Both addresses of the database: through the pooler and past it. */
  readonly database: Link;
  readonly store: Link;
  /** The addresses that the node has to use. */
  readonly urls: LinkedUrls;
  close(): Promise<void>;
}

interface LinkedUrls {
  readonly pooled: string;
  readonly direct: string;
  readonly store: string;
}

/** Puts TCP proxies between one node and these addresses. */
export async function linkNode({ pooled, direct, store }: LinkedUrls): Promise<NodeLinks> {
  const proxies = await Promise.all([pooled, direct, store].map(startTcpProxy));
  const [toPooled, toDirect, toStore] = proxies as [TcpProxy, TcpProxy, TcpProxy];
  return {
    database: linkOf([toPooled, toDirect]),
    store: linkOf([toStore]),
    urls: { pooled: toPooled.url, direct: toDirect.url, store: toStore.url.replace(/\/$/, '') },
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

function linkOf(proxies: readonly TcpProxy[]): Link {
  const all = async (work: (proxy: TcpProxy) => Promise<void>) => {
    await Promise.all(proxies.map(work));
  };
  return { cut: () => all((proxy) => proxy.cut()), mend: () => all((proxy) => proxy.mend()) };
}
