import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { version } from '#server/infra/version.ts'
import { type ErrorCode, errorCodes, Problem, problems } from '#shared/contract/declaring/errors.ts'
import { commonErrors, isForm, type RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { guideAsMarkdown } from '#shared/contract/guide.ts'
import { deliveryOfEvent } from './deliveries.ts'
import { exampleAnswer, exampleBody } from './examples.ts'
import { answerHeaders, headerParameters, headersOfFailure, headersOfSuccess } from './headers.ts'

/** Returns the OpenAPI 3.1 document of a contract, from the declarations that the server runs on. */
export function openApiDocument(routes: Record<string, RouteDeclaration>, publicUrl: string): object {
  const paths: ZodOpenApiPathsObject = {}
  for (const [operationId, declaration] of Object.entries(routes)) {
    paths[declaration.path] = {
      ...paths[declaration.path],
      [declaration.method.toLowerCase()]: operation(operationId, declaration),
    }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Hapax',
      version,
      description: `Keeps an inventory of one-of-a-kind things, lists them on several marketplaces, and sees that each is sold once.\n\n${guideAsMarkdown()}`,
    },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: { event: deliveryOfEvent },
    components: {
      schemas: { Problem },
      headers: answerHeaders,
      responses: answersByCode,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token from signing in or registering' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key made at /api/v1/api-keys/' },
      },
    },
  }
  return withExamples(createDocument(document, { override: plainer }))
}

/** Adds an example of each body and answer. */
function withExamples(document: ReturnType<typeof createDocument>): object {
  const schemas = document.components?.schemas ?? {}
  for (const operation of Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods))) {
    const { operationId, requestBody, responses } = operation as Shown
    for (const media of Object.values(requestBody?.content ?? {})) {
      media.example = exampleBody(operationId, media.schema, schemas)
    }
    for (const status of ['200', '201', '202']) {
      const media = responses[status]?.content?.['application/json']
      if (media) media.example = exampleAnswer(media.schema, schemas)
    }
  }
  return document
}

interface Media {
  schema?: unknown
  example?: unknown
}

interface Shown {
  operationId: string
  requestBody?: { content?: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> } | undefined>
}

/** Removes JavaScript's number bounds and patterns that repeat a format: useless to readers, and half of the document. */
const plainer: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (['date-time', 'date', 'uuid'].includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
}

function operation(operationId: string, declaration: RouteDeclaration): ZodOpenApiOperationObject {
  const { auth } = declaration
  return {
    operationId,
    summary: declaration.summary,
    description: [
      declaration.notes ?? '',
      typeof auth === 'object' ? `An API key needs the scope \`${auth.scope}\`.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    tags: [declaration.tag],
    // The first one is in the samples of the reference.
    security: auth === 'none' ? [] : auth === 'bearer' ? [{ bearer: [] }] : [{ apiKey: [] }, { bearer: [] }],
    requestParams: {
      ...(declaration.params ? { path: declaration.params as z.ZodObject } : {}),
      ...(declaration.query ? { query: declaration.query as z.ZodObject } : {}),
    },
    parameters: headerParameters(declaration),
    ...(declaration.body || isForm(declaration)
      ? {
          requestBody: {
            required: true,
            content: contentOf(declaration),
          },
        }
      : {}),
    responses: { ...successes(declaration), ...failures(declaration) },
  }
}

const noFields = z.object({})
const page = z.string().describe('A page')

function contentOf(declaration: RouteDeclaration): Record<string, { schema: z.ZodType }> {
  const schema = declaration.body ?? noFields
  if (declaration.bodyType !== 'image') return { [bodyType(declaration)]: { schema } }
  return { 'image/*': { schema }, 'multipart/form-data': { schema: z.object({ file: schema.describe('The photo') }) } }
}

const bodyType = (declaration: RouteDeclaration) =>
  declaration.bodyType ?? (declaration.page ? 'application/x-www-form-urlencoded' : 'application/json')

function successes(declaration: RouteDeclaration): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(declaration.replies).map(([status, schema]) => [
      status,
      schema === null
        ? { description: 'Done', headers: headersOfSuccess(declaration, status) }
        : {
            description: 'Success',
            headers: headersOfSuccess(declaration, status),
            content: { [declaration.replyType ?? (declaration.page ? 'text/html' : 'application/json')]: { schema } },
          },
    ]),
  )
}

function failures(declaration: RouteDeclaration): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...commonErrors(declaration), ...(declaration.errors ?? [])])) {
    const status = problems[code][0]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      codes.length > 1 || declaration.page ? failure(status, codes, declaration.page) : answerOf(codes[0] as ErrorCode),
    ]),
  )
}

const answerOf = (code: ErrorCode) => ({ $ref: `#/components/responses/${code}` })

/** Every code as a response, for statuses with a single code. */
const answersByCode = Object.fromEntries(errorCodes.map((code) => [code, failure(problems[code][0], [code])]))

function failure(status: number, codes: ErrorCode[], isPage = false): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOfFailure(status, codes),
    content: {
      'application/problem+json': {
        // The problem, with the possible codes of this status.
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { properties: { code: { enum: codes, description: Problem.shape.code.description } } },
          ],
        },
      },
      ...(isPage ? { 'text/html': { schema: page } } : {}),
    },
  }
}
