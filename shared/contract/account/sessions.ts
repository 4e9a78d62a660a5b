import { z } from 'zod'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Accounts')

/** A session of the account: one bearer token, without its value. */
export const Session = z
  .object({
    uid: z.string().describe('The id'),
    is_current: z.boolean().describe('Whether it is the session of this request'),
    method: z
      .enum(['registration', 'password', 'phone', 'apple', 'passkey', 'second_factor', 'unknown'])
      .describe('How the seller signed in'),
    device: z.string().describe('Browser and system by the user agent, such as "Chrome on Windows"'),
    network: z.string().nullable().describe('Where it was opened from: /24 of IPv4, /48 of IPv6'),
    user_agent: z.string().nullable().describe('The program that was used'),
    created_at: z.iso.datetime().describe('When it was created'),
    last_used_at: z.iso.datetime().nullable().describe('To five minutes'),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const listSessions = route({
  summary: 'List the sessions of the account, the last used first',
  method: 'GET',
  path: '/api/v1/user/sessions/',
  auth: 'bearer',
  replies: { 200: z.array(Session) },
})

export const endSession = route({
  summary: 'End a session; its token stops working at once',
  method: 'DELETE',
  path: '/api/v1/user/sessions/{uid}/',
  auth: 'bearer',
  params: UidParams('ses'),
  replies: { 204: null },
  recentProof: 'usual',
  audit: 'session.ended',
  worksOnLowDisk: true,
})

export const endOtherSessions = route({
  summary: 'End all sessions but the current one',
  method: 'POST',
  path: '/api/v1/user/sessions/end-others/',
  auth: 'bearer',
  replies: { 200: z.object({ ended: z.int().describe('Sessions that were ended') }) },
  recentProof: 'usual',
  audit: 'session.ended',
  worksOnLowDisk: true,
})

export const sessions = { listSessions, endSession, endOtherSessions }
