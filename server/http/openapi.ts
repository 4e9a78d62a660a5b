import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { Problem, problems } from '#shared/contract/errors.ts'
import { commonErrors, type RouteDeclaration } from '#shared/contract/route.ts'

/** The OpenAPI 3.1 document of a contract: from the same declarations that the server runs on. */
export function openApiDocument(routes: Record<string, RouteDeclaration>, publicUrl: string): object {
  const paths: ZodOpenApiPathsObject = {}
  for (const [operationId, declaration] of Object.entries(routes)) {
    paths[declaration.path] = {
      ...paths[declaration.path],
      [declaration.method.toLowerCase()]: operation(operationId, declaration),
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Hapax',
      version: '1.0.0',
      description:
        'Keeps an inventory of one-of-a-kind things, lists them on several marketplaces, and sees that each is sold once.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token from signing in or registering' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key made at /api/v1/api-keys/' },
      },
    },
  })
}

function operation(operationId: string, declaration: RouteDeclaration): ZodOpenApiOperationObject {
  const { auth } = declaration
  return {
    operationId,
    summary: declaration.summary,
    description: [
      `Specification ${declaration.section.replace(/^d/, 'decisions ')}.`,
      typeof auth === 'object' ? `An API key needs the scope \`${auth.scope}\`.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    tags: [declaration.tag],
    security: auth === 'none' ? [] : auth === 'bearer' ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }],
    requestParams: {
      ...(declaration.params ? { path: declaration.params as z.ZodObject } : {}),
      ...(declaration.query ? { query: declaration.query as z.ZodObject } : {}),
    },
    ...(declaration.body
      ? { requestBody: { required: true, content: { [bodyType(declaration)]: { schema: declaration.body } } } }
      : {}),
    responses: { ...successes(declaration), ...failures(declaration) },
  }
}

const page = z.string().describe('A page')

const bodyType = (declaration: RouteDeclaration) =>
  declaration.page ? 'application/x-www-form-urlencoded' : 'application/json'

function successes(declaration: RouteDeclaration): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(declaration.replies).map(([status, schema]) => [
      status,
      schema === null
        ? { description: 'Done' }
        : { description: 'Success', content: { [declaration.page ? 'text/html' : 'application/json']: { schema } } },
    ]),
  )
}

function failures(declaration: RouteDeclaration): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, string[]>()
  for (const code of new Set([...commonErrors(declaration), ...(declaration.errors ?? [])])) {
    const status = problems[code][0]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/problem+json': { schema: Problem },
          ...(declaration.page ? { 'text/html': { schema: page } } : {}),
        },
      },
    ]),
  )
}
