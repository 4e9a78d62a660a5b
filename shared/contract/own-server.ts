import { z } from 'zod'
import { routesOf } from './declaring/route.ts'

const route = routesOf('Server')

/** The server, and to its owner what runs on it. */
export const OwnServer = z
  .object({
    version: z.string().describe('The release that runs'),
    owned: z
      .object({
        registration: z.enum(['open', 'invited', 'closed']).describe('Who may make an account'),
        invitations: z.int().describe('Invitations that can still be used'),
        backed_up_at: z.iso.datetime().nullable().describe('When the last backup ended; null where none was recorded'),
        backup_is_late: z.boolean().describe('The last backup is older than two days'),
      })
      .nullable()
      .describe('Null for an account that does not own the installation'),
  })
  .meta({ id: 'Server' })
export type OwnServer = z.infer<typeof OwnServer>

export const readServer = route({
  summary: 'The version of this server, and to its owner who may register and how old the backup is',
  method: 'GET',
  path: '/api/v1/server/',
  auth: 'bearer',
  replies: { 200: OwnServer },
})

/** Only the owner of the installation gets one; for others there is nothing here. */
export const createInvitation = route({
  summary: 'Make a link that lets one person register, within seven days',
  method: 'POST',
  path: '/api/v1/server/invitations/',
  auth: 'bearer',
  replies: {
    201: z.object({
      url: z.url().describe('The link, shown once'),
      expires_at: z.iso.datetime().describe('When it expires'),
    }),
  },
  errors: ['not_found', 'registration_closed'],
})

export const deleteInvitations = route({
  summary: 'End all invitations that were not used',
  method: 'DELETE',
  path: '/api/v1/server/invitations/',
  auth: 'bearer',
  replies: { 204: null },
  errors: ['not_found'],
})

export const ownServer = { readServer, createInvitation, deleteInvitations }
