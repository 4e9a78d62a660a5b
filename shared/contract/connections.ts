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
    sale_notices: z
      .enum(['subscribed', 'consent_needed'])
      .nullable()
      .optional()
      .describe(
        'Whether eBay tells of sales as they happen. `consent_needed`: connect the shop again to allow it; until then sales are found by asking. Null: not known yet, or of no concern',
      ),
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
  notes:
    "Open `connection_url` in the seller's browser before `expires_at`: it works once. When they have agreed, the shop stands in `GET /api/v1/seller-accounts/` and the event `connection.connected` is told.",
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
  auth: { scope: 'listings:write' },
  params: z.strictObject({ uid: Id('sel') }),
  replies: { 204: null },
  audit: 'connection.ended',
})

export const connections = { listPlatforms, startConnection, listSellerAccounts, disconnectSellerAccount }

const Html = z.string().describe('A page')
const anySlug = z.strictObject({ slug: z.string().max(50) })

/**
 * d5: where a browser is sent to; the ticket stands for the Authorization header, which a web view may send instead. A browser
 * that another site sends is shown a page that names the account first (d11).
 */
const openConnection = route({
  summary: 'Send the seller on to the platform',
  section: 'd5',
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

/** d11: the form of the page that names the account. */
const confirmConnection = route({
  summary: 'Go on to the platform: the account is the right one',
  section: 'd11',
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

/** d5 */
const finishConnection = route({
  summary: 'Where the platform sends the seller back: says which shop is connected',
  section: 'd5',
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

/** d11: the extension holds an API key only, which reaches no connection; here a seller signs in with a password. */
const showConnectPage = route({
  summary: 'Connect a shop in a browser',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/',
  auth: 'none',
  page: true,
  replies: { 200: Html },
})

/** d11 */
const signInToConnect = route({
  summary: 'Sign in on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/',
  auth: 'none',
  page: true,
  body: z.object({ email: z.string(), password: z.string() }),
  replies: { 303: null },
  errors: ['invalid_credentials', 'wrong_credential_kind'],
  issuesToken: true,
})

/** d11 */
const showRegisterPage = route({
  summary: 'The page on which an account is created',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/register/',
  auth: 'none',
  page: true,
  replies: { 200: Html },
})

/** d11 */
const registerOnPage = route({
  summary: 'Create an account on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/register/',
  auth: 'none',
  page: true,
  body: z.object({ email: z.string(), password: z.string(), password_confirm: z.string() }),
  replies: { 303: null },
  errors: ['email_in_use', 'wrong_credential_kind'],
  issuesToken: true,
})

/** d11: needed before anything can be listed (4.15), and to be given without a program. */
const showAddressPage = route({
  summary: 'The page on which the primary address is given',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/address/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
})

/** d11 */
const saveAddressOnPage = route({
  summary: 'Set the primary address on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/address/',
  auth: 'none',
  page: true,
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

/** d11: how a seller whose trial has ended gets a subscription, and ends it. */
const showSubscriptionPage = route({
  summary: 'The page of the subscription',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/subscription/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
})

/** d11: says nothing of whether anything was paid. */
const comeBackFromStripe = route({
  summary: 'Where Stripe sends a seller back to',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/subscription/back/',
  auth: 'none',
  page: true,
  replies: { 200: Html },
})

/** d11: pressed twice, it leads to the same page. */
const openCheckoutOnPage = route({
  summary: "Go on to Stripe's page of payment",
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/subscription/checkout/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const openPortalOnPage = route({
  summary: "Go on to Stripe's page of card, invoices and cancelling",
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/subscription/portal/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const confirmAgainOnPage = route({
  summary: 'Send the link that confirms the email address again',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/confirmation/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const connectOnPage = route({
  summary: 'Go on to a platform from the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/{slug}/',
  auth: 'none',
  page: true,
  params: anySlug,
  replies: { 200: Html, 303: null },
  errors: ['unauthenticated', 'wrong_credential_kind', 'platform_not_configured', 'platform_not_connectable'],
})

/** d11 */
const disconnectOnPage = route({
  summary: 'Disconnect a shop on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/shops/{uid}/disconnect/',
  auth: 'none',
  page: true,
  params: z.strictObject({ uid: Id('sel') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'not_found'],
})

/** d11 */
const signOutOfConnect = route({
  summary: 'Sign out on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/sign-out/',
  auth: 'none',
  page: true,
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const giveSecondFactorOnPage = route({
  summary: 'Give the code of the second step on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/second-step/',
  auth: 'none',
  page: true,
  body: z.object({ signin_token: z.string(), code: z.string() }),
  replies: { 303: null },
  errors: ['code_invalid', 'wrong_credential_kind'],
  issuesToken: true,
})

/** d11 */
const beginPasskeyLoginOnPage = route({
  summary: 'The page on which a passkey signs in',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/passkey/',
  auth: 'none',
  page: true,
  replies: { 200: Html },
  errors: ['wrong_credential_kind', 'conflict'],
  issuesToken: true,
})

/** d11 */
const logInByPasskeyOnPage = route({
  summary: 'Sign in with a passkey on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/passkey/finish/',
  auth: 'none',
  page: true,
  body: z.object({ challenge_token: z.string(), response: z.string() }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'passkey_refused'],
  issuesToken: true,
})

/** d11 */
const showSecurityPage = route({
  summary: 'The page of sign-in and security',
  section: 'd11',
  tag: 'Connections',
  method: 'GET',
  path: '/connect/security/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
})

/** d11 */
const endSessionOnPage = route({
  summary: 'End a session on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/sessions/{uid}/end/',
  auth: 'none',
  page: true,
  params: z.strictObject({ uid: Id('ses') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const endOtherSessionsOnPage = route({
  summary: 'End all other sessions on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/sessions/end-others/',
  auth: 'none',
  page: true,
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const beginTotpOnPage = route({
  summary: 'The page that sets up an authenticator app',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/app/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

/** d11 */
const confirmTotpOnPage = route({
  summary: 'Switch the second factor on, on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/app/confirm/',
  auth: 'none',
  page: true,
  body: z.object({ code: z.string() }),
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'code_invalid'],
})

/** d11 */
const removeTotpOnPage = route({
  summary: 'Switch the second factor off, on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/app/remove/',
  auth: 'none',
  page: true,
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

/** d11 */
const renewRecoveryCodesOnPage = route({
  summary: 'Get new recovery codes on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/recovery-codes/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

/** d11 */
const beginPasskeyOnPage = route({
  summary: 'The page that adds a passkey',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/passkeys/begin/',
  auth: 'none',
  page: true,
  replies: { 200: Html, 303: null },
  errors: ['wrong_credential_kind', 'conflict'],
})

/** d11 */
const addPasskeyOnPage = route({
  summary: 'Add a passkey on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/passkeys/',
  auth: 'none',
  page: true,
  body: z.object({ challenge_token: z.string(), name: z.string(), response: z.string() }),
  replies: { 303: null },
  errors: ['wrong_credential_kind', 'passkey_refused'],
})

/** d11 */
const removePasskeyOnPage = route({
  summary: 'Remove a passkey on the page',
  section: 'd11',
  tag: 'Connections',
  method: 'POST',
  path: '/connect/security/passkeys/{uid}/remove/',
  auth: 'none',
  page: true,
  params: z.strictObject({ uid: Id('psk') }),
  replies: { 303: null },
  errors: ['wrong_credential_kind'],
})

/** What a browser opens (server/pages/connections): in the document, not among what clients call. */
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
