import { z } from 'zod'
import { Availability } from '../../item/inventory-record.ts'
import { PlatformSlug, type UnconnectedSlug, unconnectedMarketplaces } from '../../platforms.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Sale mail')

const Email = z.string().trim().min(3).max(254)

/** An address that a seller's marketplaces write to. */
const SaleMailRecipient = z.object({
  email: z.string().describe('The address'),
  verified_at: z.iso.datetime().nullable().describe('Null until the link that was sent there is confirmed'),
})

/** A mailbox that is read for sale mails. Its password is never shown. */
const SaleMailbox = z.object({
  host: z.string().describe('The IMAP server'),
  port: z.int().describe('Its port'),
  user: z.string().describe('The name to sign in with'),
  folder: z.string().describe('The folder that is read'),
  state: z
    .enum(['connecting', 'waiting', 'failed'])
    .describe('waiting: read every few minutes, or told of new mails at once. failed: tried again later'),
  last_error: z.string().nullable().describe('The error of the last try'),
  checked_at: z.iso.datetime().nullable().describe('When the folder was last read'),
})
export type SaleMailbox = z.infer<typeof SaleMailbox>

const SaleMailOverview = z.object({
  address: z.string().nullable().describe('Forward mails of marketplaces to it. Null where this server takes no mail'),
  recipients: z.array(SaleMailRecipient).describe("The account's address first. Mails to others change nothing"),
  mailbox: SaleMailbox.nullable().describe('The mailbox that is read by IMAP'),
  marketplaces: z
    .array(
      z.object({
        slug: PlatformSlug.describe('The marketplace'),
        last_mail_at: z.iso.datetime().nullable().describe('When a mail of it was last believed'),
      }),
    )
    .describe('The marketplaces whose mails count'),
})
export type SaleMailOverview = z.infer<typeof SaleMailOverview>

const outcomes = ['held', 'fetched', 'freed', 'ambiguous', 'unmatched', 'ignored', 'refused'] as const

/** A mail that came in, and what it did. Buyers are not named. */
const SaleMailMessage = z
  .object({
    uid: z.string().describe('The id'),
    marketplace: z
      .enum([...PlatformSlug.options, ...(Object.keys(unconnectedMarketplaces) as UnconnectedSlug[])])
      .nullable()
      .describe('Null for an unknown sender'),
    kind: z.enum(['sale', 'cancellation', 'other']).describe('The subject of the mail'),
    outcome: z
      .enum(outcomes)
      .describe(
        'held: its items are reserved and are being taken down elsewhere. fetched: its order is read from the marketplace. freed: its items can be listed again. ambiguous: name the item, see `resolveSaleMail`. unmatched: no live listing fits. ignored: no sale, or settled already. refused: not believed, see `reason`',
      ),
    reason: z
      .enum([
        'signature',
        'sender',
        'form',
        'recipient',
        'forwarded',
        'replayed',
        'too_old',
        'malformed',
        'not_connected',
      ])
      .nullable()
      .describe(
        'For refused. forwarded: by hand, so that nobody can check it; forward automatically. recipient: written to an address that this account has not confirmed',
      ),
    title: z.string().nullable().describe('The title of what was sold'),
    price_minor: z.int().nullable().describe('The price in minor units of its currency'),
    currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
    order_id: z.string().nullable().describe('The order on the marketplace'),
    item_uids: z.array(z.string()).describe('The items that it holds or frees; the candidates while it is ambiguous'),
    items: z
      .array(
        z.object({
          inventory_item_uid: z.string().describe('The item'),
          title: z.string().describe('The title'),
          image: z.string().nullable().describe('The first picture'),
          price_minor: z.int().describe('The price in minor units of its currency'),
          currency: z.string().describe('The currency, as three letters (ISO 4217)'),
          state: Availability.describe('The state of the item now'),
          live_on: z.array(PlatformSlug).describe('Where it is live now'),
        }),
      )
      .optional()
      .describe('The items of `item_uids`, as they are now. Deleted items are left out'),
    received_at: z.iso.datetime().describe('When it arrived'),
    confirmation: z
      .object({
        code: z.string().describe('The code to enter in Gmail'),
        link: z.string().nullable().describe('The page of Gmail that confirms it. Nothing opens it by itself'),
      })
      .optional()
      .describe("For Gmail's question whether it may forward mails"),
    change_uid: z.string().optional().describe('In an answer: the change, which can be undone'),
  })
  .meta({ id: 'SaleMailMessage' })
export type SaleMailMessage = z.infer<typeof SaleMailMessage>

export const readSaleMail = route({
  summary: 'The ways in which sale mails arrive',
  notes: 'A mail counts if its marketplace signed it, and it is written to one of the confirmed `recipients`.',
  method: 'GET',
  path: '/api/v1/sale-mail/',
  auth: 'bearer',
  replies: { 200: SaleMailOverview },
})

export const rotateSaleMailAddress = route({
  summary: 'Get a new address for sale mails',
  notes: 'The old one ends at once.',
  method: 'POST',
  path: '/api/v1/sale-mail/rotate/',
  auth: 'bearer',
  replies: { 200: SaleMailOverview },
})

export const addSaleMailRecipient = route({
  summary: 'Add an address that marketplaces write to',
  notes: 'Sends a link there. The address counts once the link is confirmed.',
  method: 'POST',
  path: '/api/v1/sale-mail/recipients/',
  auth: 'bearer',
  body: z.strictObject({ email: Email.describe('The address that the marketplace knows') }),
  replies: { 200: SaleMailRecipient },
  errors: ['conflict'],
})

export const confirmSaleMailRecipient = route({
  summary: 'Confirm an address with the token of the mail',
  notes: 'An account that had confirmed the address before loses it and is told.',
  method: 'POST',
  path: '/api/v1/sale-mail/recipients/confirm/',
  auth: 'bearer',
  body: z.strictObject({ token: z.string().min(1).max(200).describe('The token of the link') }),
  replies: { 200: SaleMailRecipient },
  errors: ['code_invalid'],
})

export const deleteSaleMailRecipient = route({
  summary: 'Remove an address that marketplaces write to',
  method: 'DELETE',
  path: '/api/v1/sale-mail/recipients/{email}/',
  auth: 'bearer',
  params: z.strictObject({ email: z.string().max(254).meta(param('The address')) }),
  replies: { 204: null },
})

export const putSaleMailbox = route({
  summary: 'Read a mailbox by IMAP',
  notes:
    'Signs in and opens the folder first: ten tries an hour for an account, and for a mailbox. `mailbox_refused` tells what failed. Mails of the last three days count at the first connection.',
  method: 'PUT',
  path: '/api/v1/sale-mail/mailbox/',
  auth: 'bearer',
  audit: 'mailbox.saved',
  body: z.strictObject({
    host: z.string().trim().min(1).max(253).describe('The IMAP server, such as `imap.gmail.com`'),
    port: z.int().min(1).max(65_535).optional().describe('993, or 143 with `starttls`'),
    tls: z
      .enum(['implicit', 'starttls', 'none'])
      .optional()
      .describe('Default implicit. none: only for a server on this machine, in the sandbox'),
    user: z.string().min(1).max(254).describe('The name to sign in with'),
    password: z.string().min(1).max(1_000).describe('An app password'),
    folder: z.string().min(1).max(255).optional().describe('Default INBOX'),
  }),
  replies: { 200: SaleMailbox },
  errors: ['mailbox_refused'],
})

export const deleteSaleMailbox = route({
  summary: 'Forget the mailbox',
  method: 'DELETE',
  path: '/api/v1/sale-mail/mailbox/',
  auth: 'bearer',
  audit: 'mailbox.deleted',
  replies: { 204: null },
  errors: ['not_found'],
})

export const listSaleMails = route({
  summary: 'Mails that came in, newest first',
  notes: 'Mails that were no sale are kept for 7 days, others for 90.',
  method: 'GET',
  path: '/api/v1/sale-mail/messages/',
  auth: { scope: 'listings:write' },
  query: z.strictObject({
    outcome: z.enum(outcomes).optional().meta(param('What the mail did')),
    uid: z.string().max(40).optional().meta(param('This mail only')),
    ...PageQuery,
  }),
  replies: { 200: CountedPage(SaleMailMessage) },
})

export const resolveSaleMail = route({
  summary: 'Say which item an ambiguous mail is about',
  notes:
    'Holds the item; undoing the change frees it and asks again. Null: none of them. For an unmatched mail, any item with a live listing on the marketplace can be named. Repeating it changes nothing; another answer is `already_resolved`.',
  method: 'POST',
  path: '/api/v1/sale-mail/messages/{uid}/resolve/',
  auth: { scope: 'listings:write' },
  params: UidParams('mal'),
  body: z.strictObject({ item_uid: z.string().max(40).nullable().describe('The item that was sold') }),
  replies: { 200: SaleMailMessage },
  errors: ['conflict', 'already_resolved'],
})

export const saleMail = {
  readSaleMail,
  rotateSaleMailAddress,
  addSaleMailRecipient,
  confirmSaleMailRecipient,
  deleteSaleMailRecipient,
  putSaleMailbox,
  deleteSaleMailbox,
  listSaleMails,
  resolveSaleMail,
}
