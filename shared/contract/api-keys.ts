import { z } from 'zod'
import { Id } from '../identity.ts'
import { route, scopes } from './route.ts'

/** The record of an API key, without its value or hash. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    last4: z.string(),
    scopes: z.array(z.enum(scopes)),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

/** The record with the full value, shown once: at creation and at rotation. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyWithSecret' })

const params = z.strictObject({ pk: Id('key') })

export const listApiKeys = route({
  summary: 'List the active API keys',
  tag: 'API keys',
  method: 'GET',
  path: '/api/v1/api-keys/',
  auth: 'bearer',
  replies: { 200: z.array(ApiKey) },
})

export const createApiKey = route({
  summary: 'Create an API key; its value is shown this once',
  tag: 'API keys',
  method: 'POST',
  path: '/api/v1/api-keys/',
  auth: 'bearer',
  body: z.strictObject({
    name: z.string().trim().min(1).max(100),
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).optional(),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
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
  tag: 'API keys',
  method: 'GET',
  path: '/api/v1/api-keys/{pk}/',
  auth: 'bearer',
  params,
  replies: { 200: ApiKey },
})

export const deleteApiKey = route({
  summary: 'Delete an API key',
  tag: 'API keys',
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
  tag: 'API keys',
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
