import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The floor for serving photographs: a plain Node server that answers every request with the bytes sent to it by IPC. */
process.once('message', (base64: string) => {
  const bytes = Buffer.from(base64, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/webp', 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
