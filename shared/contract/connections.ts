import { z } from 'zod'
import { ListingField, PlatformSlug } from '../platforms.ts'
import { param, SlugParams, UidParams } from './declaring/params.ts'
import { type RouteDeclaration, routesOf } from './declaring/route.ts'

const route = routesOf('Connections')

/** Platform. */
export const Platform = z
  .object({
    uid: z.string().describe('The id'),
    name: z.string().describe('The name'),
    slug: z.string().describe('The platform by its short name'),
    url: z.url().describe('The address'),
    is_selling_active: z.boolean().describe('This account has a working connection to the platform'),
    connection_url: z.string().describe('Path of shape /accounts/{slug}/login/'),
    sale_sight: z
      .object({
        speed: z
          .enum(['seconds', 'minutes', 'hours', 'browser', 'none'])
          .describe(
            'How soon a sale there would be seen now. `browser`: only with the browser open. `none`: not until the shop is connected again, or its orders can be read',
          ),
        seconds: z.int().nullable().describe('The longest it takes without a notice, where that is planned'),
        witnesses: z
          .array(
            z.object({
              by: z
                .enum(['api', 'notice', 'page', 'mail', 'comparison'])
                .describe(
                  '`notice`: what the marketplace sends by itself. `comparison`: live listings against the inventory',
                ),
              last_at: z.iso.datetime({ offset: true }).nullable().describe('When it last told something'),
            }),
          )
          .describe('What would tell of a sale'),
      })
      .nullable()
      .optional()
      .describe('How soon a sale would be seen, of the shop where it takes longest; null without a shop'),
    sale_mail: z
      .object({
        state: z
          .enum(['off', 'waiting', 'working', 'silent'])
          .describe(
            '`off`: sale mail is not set up. `waiting`: it is, and no mail of this marketplace came yet. `silent`: none came for 30 days, although listings are live',
          ),
        last_at: z.iso.datetime({ offset: true }).nullable().describe('When a mail of it was last believed'),
        live_listings: z
          .int()
          .describe('How many listings are live there; 0 where an API tells of sales, since mails are not needed'),
      })
      .nullable()
      .optional()
      .describe('Whether its sale mails arrive; null without live listings and mails'),
    edit: z.array(ListingField).optional().describe('Fields of a live listing that Hapax can change there'),
  })
  .meta({ id: 'Platform' })
export type Platform = z.infer<typeof Platform>

/** A shop on a platform. */
export const SellerAccount = z
  .object({
    uid: z.string().describe('The id'),
    platform: PlatformSlug.describe('The platform'),
    external_id: z.string().describe('The id on the platform'),
    external_name: z.string().describe('The name on the platform'),
    status: z.enum(['connected', 'reconnect_required', 'revoked']).describe('The status'),
    connected_at: z.iso.datetime().describe('When the shop was connected'),
    last_synced_at: z.iso.datetime().nullable().describe('When it was last read'),
    sale_notices: z
      .enum(['subscribed', 'consent_needed'])
      .nullable()
      .optional()
      .describe(
        'Whether eBay tells of sales as they happen. `consent_needed`: connect the shop again to allow it; until then sales are found by asking. Null: not known yet, or of no concern',
      ),
    is_on_vacation: z
      .boolean()
      .optional()
      .describe('On Etsy, as last read: its listings stay live, nobody can buy them, and none can be published'),
    health: z
      .object({
        state: z
          .enum(['working', 'failing', 'reconnect_required', 'disconnected', 'unknown'])
          .describe('working: the last call that was needed worked. unknown: none was needed yet'),
        reason: z.enum(['take_down', 'orders', 'imports']).nullable().describe('The kind of call that fails'),
        message: z.string().nullable().describe('A sentence for people'),
        since: z.iso.datetime({ offset: true }).nullable().describe('The beginning of the period'),
        last_success_at: z.iso.datetime({ offset: true }).nullable().describe('When it last worked'),
        next_try_at: z.iso.datetime({ offset: true }).nullable().describe('When the next try is due'),
      })
      .optional()
      .describe('Whether the connection works'),
  })
  .meta({ id: 'SellerAccount' })
export type SellerAccount = z.infer<typeof SellerAccount>

export const listPlatforms = route({
  summary: 'The selling platforms, and whether they are connected',
  method: 'GET',
  path: '/api/v1/platforms/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(Platform) },
})

export const startConnection = route({
  summary: 'A single-use address that starts connecting a platform in a browser',
  notes:
    "Open `connection_url` in the seller's browser before `expires_at`: it works once. After the seller agrees, `GET /api/v1/seller-accounts/` lists the shop and the event `connection.connected` is sent.",
  method: 'POST',
  path: '/api/v1/platforms/{slug}/connect/',
  auth: 'bearer',
  params: SlugParams,
  replies: {
    200: z.object({
      connection_url: z.url().describe('The page where the seller allows the connection'),
      expires_at: z.iso.datetime().describe('When it expires'),
    }),
  },
  errors: ['platform_not_configured', 'platform_not_connectable'],
})

export const listSellerAccounts = route({
  summary: 'The connected shops',
  method: 'GET',
  path: '/api/v1/seller-accounts/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(SellerAccount) },
})

/** Revokes tokens where the platform can, and destroys them here. Live listings stay. */
export const disconnectSellerAccount = route({
  summary: 'Disconnect a shop',
  method: 'DELETE',
  path: '/api/v1/seller-accounts/{uid}/',
  auth: { scope: 'listings:write' },
  params: UidParams('sel'),
  replies: { 204: null },
  audit: 'connection.ended',
})

export const connections = { listPlatforms, startConnection, listSellerAccounts, disconnectSellerAccount }

const Html = z.string().describe('A page')
const loginErrors = [
  ...(['code_invalid', 'unauthenticated', 'wrong_credential_kind'] as const),
  ...(['platform_not_configured', 'platform_not_connectable'] as const),
]

/**
 * The browser's entry. A web view may send the Authorization header instead of a ticket. Browsers sent by another site
 * first see a page that names the account.
 */
const openConnection = route({
  summary: 'Send the seller on to the platform',
  method: 'GET',
  path: '/accounts/{slug}/login/',
  auth: 'none',
  page: true,
  params: SlugParams,
  query: z.object({
    ticket: z.string().optional().describe('Of startConnection: single use, 60 seconds'),
    from: z.literal('app').optional().describe('Leads back to the web app if it is signed in to the account'),
  }),
  replies: { 200: Html, 302: null },
  errors: loginErrors,
})

/** The form of the page that names the account. */
const confirmConnection = route({
  summary: 'Go on to the platform: the account is the right one',
  method: 'POST',
  path: '/accounts/{slug}/login/',
  auth: 'none',
  page: true,
  params: SlugParams,
  body: z.object({ ticket: z.string().describe('The ticket of the page') }),
  replies: { 200: Html },
  errors: loginErrors,
})

const finishConnection = route({
  summary: 'Where the platform sends the seller back: says which shop is connected',
  method: 'GET',
  path: '/accounts/{slug}/login/callback/',
  auth: 'none',
  page: true,
  params: SlugParams,
  query: z.object({
    state: z.string().meta(param('The state of the item')),
    code: z.string().optional().meta(param('The code that the marketplace gave')),
    error: z.string().optional().meta(param('What went wrong')),
  }),
  replies: { 200: Html, 303: null },
  errors: ['code_invalid', 'shop_in_use', 'platform_not_configured', 'platform_not_connectable', 'platform_failed'],
})

/** Declares a page below `/connect/`, where sellers sign in to the web app or go on to a platform. */
const connectPage = <const Page extends Omit<RouteDeclaration, 'section' | 'tag' | 'auth' | 'page'>>(page: Page) =>
  route({ auth: 'none', page: true, ...page })

const showConnectPage = connectPage({
  summary: 'The page that signs in; on to the web app, or to the platform of a shop to connect',
  method: 'GET',
  path: '/connect/',
  replies: { 200: Html, 303: null },
})

const signInToConnect = connectPage({
  summary: 'Sign in on the page',
  method: 'POST',
  path: '/connect/',
  body: z.object({ email: z.string().describe('The email address'), password: z.string().describe('The password') }),
  replies: { 303: null },
  errors: ['invalid_credentials', 'wrong_credential_kind'],
  issuesToken: true,
})

const showRegisterPage = connectPage({
  summary: 'The page on which an account is created',
  method: 'GET',
  path: '/connect/register/',
  replies: { 200: Html },
})

const registerOnPage = connectPage({
  summary: 'Create an account on the page',
  method: 'POST',
  path: '/connect/register/',
  body: z.object({
    email: z.string().describe('The email address'),
    password: z.string().describe('The password'),
    password_confirm: z.string().describe('The password again'),
  }),
  replies: { 303: null },
  errors: ['email_in_use', 'wrong_credential_kind'],
  issuesToken: true,
})

const giveSecondFactorOnPage = connectPage({
  summary: 'Give the code of the second step on the page',
  method: 'POST',
  path: '/connect/second-step/',
  body: z.object({
    signin_token: z.string().describe('The token of this sign-in'),
    code: z.string().describe('The code that the app shows'),
  }),
  replies: { 303: null },
  errors: ['code_invalid', 'wrong_credential_kind'],
  issuesToken: true,
})

const beginPasskeyLoginOnPage = connectPage({
  summary: 'The page on which a passkey signs in',
  method: 'POST',
  path: '/connect/passkey/',
  replies: { 200: Html },
  errors: ['wrong_credential_kind', 'conflict'],
  issuesToken: true,
})

const logInByPasskeyOnPage = connectPage({
  summary: 'Sign in with a passkey on the page',
  method: 'POST',
  path: '/connect/passkey/finish/',
  body: z.object({
    challenge_token: z.string().describe('The token of the first step'),
    response: z.string().describe('As the browser returns it'),
  }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'passkey_refused'],
  issuesToken: true,
})

/** Pages for browsers (server/pages/connections). The API document lists them; API clients do not call them. */
export const connectionPages = {
  openConnection,
  confirmConnection,
  finishConnection,
  showConnectPage,
  signInToConnect,
  showRegisterPage,
  registerOnPage,
  giveSecondFactorOnPage,
  beginPasskeyLoginOnPage,
  logInByPasskeyOnPage,
}
