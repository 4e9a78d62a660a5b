import { z } from 'zod'
import { Id } from '../identity.ts'
import { PlatformSlug } from '../platforms.ts'
import { route } from './route.ts'

/** Platform (spec 2.4). */
export const Platform = z
  .object({
    uid: z.string(),
    name: z.string(),
    slug: z.string(),
    url: z.url(),
    is_selling_active: z.boolean().describe('This account has a working connection to the platform'),
    connection_url: z.string().describe('Path of shape /accounts/{slug}/login/'),
  })
  .meta({ id: 'Platform' })
export type Platform = z.infer<typeof Platform>

/** Seller account: a shop on a platform (spec 2.5, decisions 5). */
export const SellerAccount = z
  .object({
    uid: z.string(),
    platform: PlatformSlug,
    external_id: z.string(),
    external_name: z.string(),
    status: z.enum(['connected', 'reconnect_required', 'revoked']),
    connected_at: z.iso.datetime(),
    last_synced_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SellerAccount' })
export type SellerAccount = z.infer<typeof SellerAccount>

/** 4.13 */
export const listPlatforms = route({
  summary: 'The selling platforms, and whether they are connected',
  section: '4.13',
  tag: 'Connections',
  method: 'GET',
  path: '/api/v1/platforms/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(Platform) },
})

/** d5 */
export const startConnection = route({
  summary: 'A single-use address that starts connecting a platform in a browser',
  section: 'd5',
  tag: 'Connections',
  method: 'POST',
  path: '/api/v1/platforms/{slug}/connect/',
  auth: 'bearer',
  params: z.strictObject({ slug: z.string().max(50) }),
  replies: { 200: z.object({ connection_url: z.url(), expires_at: z.iso.datetime() }) },
  errors: ['platform_not_configured', 'platform_not_connectable'],
})

/** d5 */
export const listSellerAccounts = route({
  summary: 'The connected shops',
  section: 'd5',
  tag: 'Connections',
  method: 'GET',
  path: '/api/v1/seller-accounts/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(SellerAccount) },
})

/** d5: tokens are revoked where the platform can, and destroyed here; live listings are left alone. */
export const disconnectSellerAccount = route({
  summary: 'Disconnect a shop',
  section: 'd5',
  tag: 'Connections',
  method: 'DELETE',
  path: '/api/v1/seller-accounts/{uid}/',
  auth: 'bearer',
  params: z.strictObject({ uid: Id('sel') }),
  replies: { 204: null },
})

export const connections = { listPlatforms, startConnection, listSellerAccounts, disconnectSellerAccount }
