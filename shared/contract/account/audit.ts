import { z } from 'zod'
import { CursorPage, CursorQuery } from '../declaring/pages.ts'
import { routesOf } from '../declaring/route.ts'

/** Actions in the audit trail of an account. */
const auditActions = [
  'account.registered',
  'account.exported',
  'account.closed',
  'session.created',
  'session.ended',
  'session.confirmed',
  'password.changed',
  'password.reset',
  'email.verified',
  'identity.linked',
  'identity.unlinked',
  'second_factor.enabled',
  'second_factor.disabled',
  'recovery_codes.renewed',
  'passkey.created',
  'passkey.deleted',
  'api_key.created',
  'api_key.rotated',
  'api_key.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'connection.made',
  'connection.ended',
  'mailbox.saved',
  'mailbox.deleted',
  'request.refused',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditEntry = z
  .object({
    id: z.string().describe('The id'),
    action: z.enum(auditActions).describe('The kind of act'),
    outcome: z.string().describe('`ok`, or the code of the error that refused it'),
    key_id: z.string().nullable().describe('The API key that acted; null for a session or nobody signed in'),
    target: z.string().nullable().describe('Id of what it was done to; of a refused request its operation'),
    address: z.string().describe('IPv6 cut to its /64'),
    user_agent: z.string().describe('The program that was used'),
    request_id: z.string().describe('Quote it when you ask about the request'),
    at: z.iso.datetime().describe('When it happened'),
    last_at: z.iso.datetime().describe('Of the newest repetition'),
    times: z.int().describe('Repetitions of a refusal from one address within an hour are one entry'),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

/** Requires a session: a stolen key must not reveal whether its use was noticed. */
export const listAudit = routesOf('Accounts')({
  summary: 'The audit trail of the account, newest first',
  method: 'GET',
  path: '/api/v1/user/audit/',
  auth: 'bearer',
  query: z.strictObject(CursorQuery),
  replies: { 200: CursorPage(AuditEntry) },
  notes: 'Sign-ins, failures and changes of access: who, what, when and from where. An entry shows within a second.',
})

export const audit = { listAudit }
