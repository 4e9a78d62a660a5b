import { z } from 'zod'
import { Id } from '../../identity.ts'
import { param } from '../declaring/params.ts'
import { routesOf, scopes } from '../declaring/route.ts'

const route = routesOf('API keys')

/** The record of an API key, without its value or hash. */
export const ApiKey = z
  .object({
    id: z.string().describe('The id'),
    name: z.string().describe('The name'),
    prefix: z.string().describe('The first characters of the key'),
    last4: z.string().describe('The last four characters of the key'),
    scopes: z.array(z.enum(scopes)).describe('What the key may do'),
    created_at: z.iso.datetime().describe('When it was created'),
    last_used_at: z.iso.datetime().nullable().describe('When it was last used'),
    expires_at: z.iso.datetime().nullable().describe('When it expires'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

/** The record with the full value, shown once: at creation and at rotation. */
const ApiKeyWithSecret = ApiKey.extend({ key: z.string().describe('The secret. It is shown this once') }).meta({
  id: 'ApiKeyWithSecret',
})

const params = z.strictObject({ pk: Id('key').meta(param('The key by its id')) })

export const listApiKeys = route({
  summary: 'List the active API keys',
  method: 'GET',
  path: '/api/v1/api-keys/',
  auth: 'bearer',
  replies: { 200: z.array(ApiKey) },
})

export const createApiKey = route({
  summary: 'Create an API key; its value is shown this once',
  method: 'POST',
  path: '/api/v1/api-keys/',
  auth: 'bearer',
  body: z.strictObject({
    name: z.string().trim().min(1).max(100).describe('The name'),
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).optional().describe('What the key may do'),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('When it expires'),
  }),
  recentProof: 'usual',
  replies: { 201: ApiKeyWithSecret },
  location: '/api/v1/api-keys/{id}/',
  errors: ['too_many_keys'],
  idempotent: true,
  secretReply: true,
  audit: 'api_key.created',
})

export const getApiKey = route({
  summary: 'One API key',
  method: 'GET',
  path: '/api/v1/api-keys/{pk}/',
  auth: 'bearer',
  params,
  replies: { 200: ApiKey },
})

export const deleteApiKey = route({
  summary: 'Delete an API key',
  method: 'DELETE',
  path: '/api/v1/api-keys/{pk}/',
  auth: 'bearer',
  params,
  replies: { 204: null },
  audit: 'api_key.deleted',
  worksOnLowDisk: true,
})

/** An expired key cannot be rotated; delete it and create a new one. */
export const rotateApiKey = route({
  summary: 'Give an API key a new value; the old one ends at once',
  method: 'POST',
  path: '/api/v1/api-keys/{pk}/rotate/',
  auth: 'bearer',
  params,
  recentProof: 'usual',
  replies: { 200: ApiKeyWithSecret },
  errors: ['conflict'],
  idempotent: true,
  secretReply: true,
  audit: 'api_key.rotated',
})

export const apiKeys = { listApiKeys, createApiKey, getApiKey, deleteApiKey, rotateApiKey }
