import { z } from 'zod'
import { Id } from '../identity.ts'
import { ListingField, PlatformSlug } from '../platforms.ts'
import { type RouteDeclaration, route } from './route.ts'

/** Platform. */
export const Platform = z
  .object({
    uid: z.string(),
    name: z.string(),
    slug: z.string(),
    url: z.url(),
    is_selling_active: z.boolean().describe('This account has a working connection to the platform'),
    connection_url: z.string().describe('Path of shape /accounts/{slug}/login/'),
    edit: z.array(ListingField).optional().describe('Fields of a live listing that Hapax can change there'),
  })
  .meta({ id: 'Platform' })
export type Platform = z.infer<typeof Platform>

/** A shop on a platform. */
export const SellerAccount = z
  .object({
    uid: z.string(),
    platform: PlatformSlug,
    external_id: z.string(),
    external_name: z.string(),
    status: z.enum(['connected', 'reconnect_required', 'revoked']),
    connected_at: z.iso.datetime(),
    last_synced_at: z.iso.datetime().nullable(),
    sale_notices: z
      .enum(['subscribed', 'consent_needed'])
      .nullable()
      .optional()
      .describe(
        'Whether eBay tells of sales as they happen. `consent_needed`: connect the shop again to allow it; until then sales are found by asking. Null: not known yet, or of no concern',
      ),
    health: z
      .object({
        state: z
          .enum(['working', 'failing', 'reconnect_required', 'disconnected', 'unknown'])
          .describe('working: the last call that was needed worked. unknown: none was needed yet'),
        reason: z.enum(['take_down', 'orders', 'imports']).nullable().describe('The kind of call that fails'),
        message: z.string().nullable(),
        since: z.iso.datetime({ offset: true }).nullable(),
        last_success_at: z.iso.datetime({ offset: true }).nullable(),
        next_try_at: z.iso.datetime({ offset: true }).nullable(),
      })
      .optional(),
  })
  .meta({ id: 'SellerAccount' })
export type SellerAccount = z.infer<typeof SellerAccount>

export const listPlatforms = route({
  summary: 'The selling platforms, and whether they are connected',
  tag: 'Connections',
  method: 'GET',
  path: '/api/v1/platforms/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(Platform) },
})

export const startConnection = route({
  summary: 'A single-use address that starts connecting a platform in a browser',
  notes:
    "Open `connection_url` in the seller's browser before `expires_at`: it works once. After the seller agrees, `GET /api/v1/seller-accounts/` lists the shop and the event `connection.connected` is sent.",
  tag: 'Connections',
  method: 'POST',
  path: '/api/v1/platforms/{slug}/connect/',
  auth: 'bearer',
  params: z.strictObject({ slug: z.string().max(50) }),
  replies: { 200: z.object({ connection_url: z.url(), expires_at: z.iso.datetime() }) },
  errors: ['platform_not_configured', 'platform_not_connectable'],
})

export const listSellerAccounts = route({
  summary: 'The connected shops',
  tag: 'Connections',
  method: 'GET',
  path: '/api/v1/seller-accounts/',
  auth: { scope: 'platforms:read' },
  replies: { 200: z.array(SellerAccount) },
})

/** Revokes tokens where the platform can, and destroys them here. Live listings stay. */
export const disconnectSellerAccount = route({
  summary: 'Disconnect a shop',
  tag: 'Connections',
  method: 'DELETE',
  path: '/api/v1/seller-accounts/{uid}/',
  auth: { scope: 'listings:write' },
  params: z.strictObject({ uid: Id('sel') }),
  replies: { 204: null },
  audit: 'connection.ended',
})

export const connections = { listPlatforms, startConnection, listSellerAccounts, disconnectSellerAccount }

const Html = z.string().describe('A page')
const anySlug = z.strictObject({ slug: z.string().max(50) })

/**
 * The browser's entry. A web view may send the Authorization header instead of a ticket. Browsers sent by another site
 * first see a page that names the account.
 */
const openConnection = route({
  summary: 'Send the seller on to the platform',
  tag: 'Connections',
  method: 'GET',
  path: '/accounts/{slug}/login/',
  auth: 'none',
  page: true,
  params: anySlug,
  query: z.object({ ticket: z.string().optional().describe('Of startConnection: single use, 60 seconds') }),
  replies: { 200: Html, 302: null },
  errors: [
    'code_invalid',
    'unauthenticated',
    'wrong_credential_kind',
    'platform_not_configured',
    'platform_not_connectable',
  ],
})

/** The form of the page that names the account. */
const confirmConnection = route({
  summary: 'Go on to the platform: the account is the right one',
  tag: 'Connections',
  method: 'POST',
  path: '/accounts/{slug}/login/',
  auth: 'none',
  page: true,
  params: anySlug,
  body: z.object({ ticket: z.string() }),
  replies: { 200: Html },
  errors: [
    'code_invalid',
    'unauthenticated',
    'wrong_credential_kind',
    'platform_not_configured',
    'platform_not_connectable',
  ],
})

const finishConnection = route({
  summary: 'Where the platform sends the seller back: says which shop is connected',
  tag: 'Connections',
  method: 'GET',
  path: '/accounts/{slug}/login/callback/',
  auth: 'none',
  page: true,
  params: anySlug,
  query: z.object({ state: z.string(), code: z.string().optional(), error: z.string().optional() }),
  replies: { 200: Html },
  errors: ['code_invalid', 'shop_in_use', 'platform_not_configured', 'platform_not_connectable', 'platform_failed'],
})

/**
 * Declares a page below `/connect/`: sellers sign in there with a password, since the extension holds an API key only and
 * no key reaches connections.
 */
const connectPage = <const Page extends Omit<RouteDeclaration, 'section' | 'tag' | 'auth' | 'page'>>(page: Page) =>
  route({ tag: 'Connections', auth: 'none', page: true, ...page })

const showConnectPage = connectPage({
  summary: 'Connect a shop in a browser',
  method: 'GET',
  path: '/connect/',
  replies: { 200: Html },
})

const signInToConnect = connectPage({
  summary: 'Sign in on the page',
  method: 'POST',
  path: '/connect/',
  body: z.object({ email: z.string(), password: z.string() }),
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
  body: z.object({ email: z.string(), password: z.string(), password_confirm: z.string() }),
  replies: { 303: null },
  errors: ['email_in_use', 'wrong_credential_kind'],
  issuesToken: true,
})

const showAddressPage = connectPage({
  summary: 'The page on which the primary address is given',
  method: 'GET',
  path: '/connect/address/',
  replies: { 200: Html, 303: null },
})

const saveAddressOnPage = connectPage({
  summary: 'Set the primary address on the page',
  method: 'POST',
  path: '/connect/address/',
  body: z.object({
    full_name: z.string(),
    line1: z.string(),
    line2: z.string().optional(),
    city: z.string(),
    region: z.string().optional(),
    postal_code: z.string(),
    country: z.string(),
    phone: z.string().optional(),
  }),
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

const showSubscriptionPage = connectPage({
  summary: 'The page of the subscription',
  method: 'GET',
  path: '/connect/subscription/',
  replies: { 200: Html, 303: null },
})

const comeBackFromStripe = connectPage({
  summary: 'Where Stripe sends a seller back to',
  method: 'GET',
  path: '/connect/subscription/back/',
  replies: { 200: Html },
})

const openCheckoutOnPage = connectPage({
  summary: "Go on to Stripe's page of payment",
  method: 'POST',
  path: '/connect/subscription/checkout/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

const openPortalOnPage = connectPage({
  summary: "Go on to Stripe's page of card, invoices and cancelling",
  method: 'POST',
  path: '/connect/subscription/portal/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

const confirmAgainOnPage = connectPage({
  summary: 'Send the link that confirms the email address again',
  method: 'POST',
  path: '/connect/confirmation/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

const connectOnPage = connectPage({
  summary: 'Go on to a platform from the page',
  method: 'POST',
  path: '/connect/{slug}/',
  params: anySlug,
  replies: { 200: Html, 303: null },
  errors: ['unauthenticated', 'wrong_credential_kind', 'platform_not_configured', 'platform_not_connectable'],
})

const disconnectOnPage = connectPage({
  summary: 'Disconnect a shop on the page',
  method: 'POST',
  path: '/connect/shops/{uid}/disconnect/',
  params: z.strictObject({ uid: Id('sel') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'not_found'],
})

const signOutOfConnect = connectPage({
  summary: 'Sign out on the page',
  method: 'POST',
  path: '/connect/sign-out/',
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

const giveSecondFactorOnPage = connectPage({
  summary: 'Give the code of the second step on the page',
  method: 'POST',
  path: '/connect/second-step/',
  body: z.object({ signin_token: z.string(), code: z.string() }),
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
  body: z.object({ challenge_token: z.string(), response: z.string() }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'passkey_refused'],
  issuesToken: true,
})

const showSecurityPage = connectPage({
  summary: 'The page of sign-in and security',
  method: 'GET',
  path: '/connect/security/',
  replies: { 200: Html, 303: null },
})

const endSessionOnPage = connectPage({
  summary: 'End a session on the page',
  method: 'POST',
  path: '/connect/security/sessions/{uid}/end/',
  params: z.strictObject({ uid: Id('ses') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

const endOtherSessionsOnPage = connectPage({
  summary: 'End all other sessions on the page',
  method: 'POST',
  path: '/connect/security/sessions/end-others/',
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

const beginTotpOnPage = connectPage({
  summary: 'The page that sets up an authenticator app',
  method: 'POST',
  path: '/connect/security/app/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

const confirmTotpOnPage = connectPage({
  summary: 'Switch the second factor on, on the page',
  method: 'POST',
  path: '/connect/security/app/confirm/',
  body: z.object({ code: z.string() }),
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'code_invalid'],
})

const removeTotpOnPage = connectPage({
  summary: 'Switch the second factor off, on the page',
  method: 'POST',
  path: '/connect/security/app/remove/',
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

const renewRecoveryCodesOnPage = connectPage({
  summary: 'Get new recovery codes on the page',
  method: 'POST',
  path: '/connect/security/recovery-codes/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

const beginPasskeyOnPage = connectPage({
  summary: 'The page that adds a passkey',
  method: 'POST',
  path: '/connect/security/passkeys/begin/',
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

const addPasskeyOnPage = connectPage({
  summary: 'Add a passkey on the page',
  method: 'POST',
  path: '/connect/security/passkeys/',
  body: z.object({ challenge_token: z.string(), name: z.string(), response: z.string() }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'passkey_refused'],
})

const removePasskeyOnPage = connectPage({
  summary: 'Remove a passkey on the page',
  method: 'POST',
  path: '/connect/security/passkeys/{uid}/remove/',
  params: z.strictObject({ uid: Id('psk') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
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
  showAddressPage,
  saveAddressOnPage,
  showSubscriptionPage,
  comeBackFromStripe,
  openCheckoutOnPage,
  openPortalOnPage,
  confirmAgainOnPage,
  connectOnPage,
  disconnectOnPage,
  signOutOfConnect,
  giveSecondFactorOnPage,
  beginPasskeyLoginOnPage,
  logInByPasskeyOnPage,
  showSecurityPage,
  endSessionOnPage,
  endOtherSessionsOnPage,
  beginTotpOnPage,
  confirmTotpOnPage,
  removeTotpOnPage,
  renewRecoveryCodesOnPage,
  beginPasskeyOnPage,
  addPasskeyOnPage,
  removePasskeyOnPage,
}
