import { metadata, TUS } from '../tus.ts';
import type { ProxyClient, Received, Sending } from './proxy-client.ts';

const BOUNDARY = 'a-boundary-that-no-photograph-contains';

/** The request that uploads a photograph whole, as a form. `pace` sends its bytes in its own time. */
export function photoRequest(
  photo: Buffer,
  { dateId, token, pace = (bytes) => [bytes] }: { dateId: string; token: string | null; pace?: Pace },
): Sending {
  const part = (name: string, more = '') =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const head = Buffer.from(
    `${part('PlannedDateId')}${dateId}\r\n${part('ImageFile', '; filename="us.jpg"\r\ncontent-type: image/jpeg')}`,
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const body = async function* () {
    yield head;
    yield* pace(photo);
    yield tail;
  };
  return {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(head.length + photo.length + tail.length),
    },
    body: body(),
  };
}

/** Yields bytes in pieces, at the times that a test chooses. */
export type Pace = (bytes: Buffer) => Iterable<Buffer> | AsyncIterable<Buffer>;

/** The request that sends one part of a resumable upload. */
export function pacedPartRequest(
  part: Buffer,
  { at, token, pace }: { at: number; token: string | null; pace?: Pace },
): Sending {
  return {
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'upload-offset': String(at),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(part.length),
    },
    body:
      pace === undefined
        ? part
        : (async function* () {
            yield* pace(part);
          })(),
  };
}

/** Throws unless a response has the expected status. Returns its body. */
export async function expectStatus(response: Received, status: number): Promise<string> {
  const body = await response.text();
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${body}`);
  return body;
}

/** Creates a resumable upload of `size` bytes. Returns the path to which its parts go. */
export async function createInParts(
  client: ProxyClient,
  size: number,
  { dateId, token }: { dateId: string; token: string | null },
): Promise<string> {
  const headers = {
    ...TUS,
    authorization: `Bearer ${token}`,
    'upload-length': String(size),
    'upload-metadata': metadata({ filename: 'us.jpg', PlannedDateId: dateId }),
  };
  const created = await client.send('POST', '/api/Memories/tus', { headers, body: Buffer.alloc(0) });
  await expectStatus(created, 201);
  const id = String(created.headers.location).split('/').at(-1);
  return `/api/Memories/tus/${id}`;
}
