import type { FastifyReply } from 'fastify';
import type { Call } from '../../call.ts';
import { chooseEncoding, compress, type Encoded } from '../http/compress.ts';
import { Answer, StreamAnswer } from './answer.ts';
import { assertReplyShape } from './assert-reply-shape.ts';
import type { RouteDeps } from './route-types.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a handler's result: a stream, JSON, or 204 without a body, whatever the `status` of its `Answer`. */
export async function sendAnswer(
  reply: FastifyReply,
  call: Call,
  result: unknown,
  deps: RouteDeps,
): Promise<FastifyReply> {
  if (result instanceof StreamAnswer) {
    reply.code(result.status).headers(result.headers);
    return reply.send(result.stream ?? '');
  }
  // Never compress replies with tokens or for public calls: their length could leak the content.
  const encoding = call.access === undefined ? chooseEncoding(reply.request.headers['accept-encoding']) : null;
  const answer = result instanceof Answer ? result : new Answer(result);
  reply.headers(answer.headers);
  if (answer.body === null || answer.body === undefined) {
    return reply.header('cache-control', 'no-store').code(204).send();
  }
  if (deps.checkReplies) assertReplyShape(call, answer.body);
  reply.code(answer.status ?? call.status ?? 200);
  return sendJson(reply, await compress(Buffer.from(JSON.stringify(answer.body)), encoding));
}

function sendJson(reply: FastifyReply, { bytes, encoding }: Encoded): FastifyReply {
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.header('vary', 'Accept-Encoding').header('cache-control', 'no-store').type(JSON_TYPE).send(bytes);
}
