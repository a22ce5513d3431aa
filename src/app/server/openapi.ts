import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { createDocument } from 'zod-openapi';
import type { Call, CallName, Calls } from '../../base/call.ts';
import { splitName } from '../../base/call.ts';
import { contracts } from './slices.ts';

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    message: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });

/** Serves `/api/openapi.json`, generated from the same contracts as the routes. */
export function addOpenApi(fastify: FastifyInstance): void {
  let document: string | undefined;
  fastify.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(describe());
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(document);
  });
}

function describe() {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [slice, contract] of Object.entries(contracts)) {
    for (const [name, call] of Object.entries(contract as Calls) as [CallName, Call][]) {
      const { method, path } = splitName(name);
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(slice, path, call) };
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Our Love Story', version: '1', description: 'A private album for two.' },
    paths: paths as ZodOpenApiPathsObject,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
}

function operation(slice: string, path: string, call: Call): ZodOpenApiOperationObject {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const headers = {
    ...(call.idempotent ? { 'Idempotency-Key': z.uuid().optional() } : {}),
    ...(call.versioned ? { 'If-Match': z.string().optional() } : {}),
  };
  return {
    tags: [slice],
    summary: call.summary,
    security: call.access === 'public' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(params.length > 0 ? { path: z.object(Object.fromEntries(params.map((name) => [name, z.string()]))) } : {}),
      ...(call.query ? { query: call.query } : {}),
      ...(Object.keys(headers).length > 0 ? { header: z.object(headers) } : {}),
    },
    ...bodyOf(call),
    responses: {
      ...successOf(call),
      default: { description: 'An error', content: { 'application/problem+json': { schema: problem } } },
    },
  };
}

function bodyOf(call: Call): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (call.body) return { requestBody: { required: true, content: { 'application/json': { schema: call.body } } } };
  if (!call.multipart) return {};
  const properties: Record<string, { type: 'string'; format?: 'binary' }> = {};
  for (const field of call.multipart) {
    properties[field] = field === 'ImageFile' ? { type: 'string', format: 'binary' } : { type: 'string' };
  }
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object', properties } } },
    },
  };
}

function successOf(call: Call): ZodOpenApiOperationObject['responses'] {
  if (call.produces)
    return { '200': { description: call.summary, content: { [call.produces]: { schema: { type: 'string' } } } } };
  if (call.reply === null) return { [call.status ?? 204]: { description: 'Done' } };
  return {
    [call.status ?? 200]: { description: call.summary, content: { 'application/json': { schema: call.reply } } },
    ...(call.reply.safeParse(null).success ? { '204': { description: 'No content' } } : {}),
  };
}
