import type Koa from 'koa'
import { logInByPassword } from '#server/accounts/auth/log-in-by-password.ts'
import { beginPasskeyUse, logInByPasskey } from '#server/accounts/auth/passkeys/use-passkey.ts'
import { registerByEmail } from '#server/accounts/auth/register-by-email.ts'
import { logInBySecondFactor } from '#server/accounts/auth/second-factor/complete-sign-in.ts'
import { requestEmailVerification } from '#server/accounts/auth/verify-email.ts'
import { findAddress } from '#server/accounts/billing/address.ts'
import { findSubscriptionStatus } from '#server/accounts/billing/subscription-status.ts'
import { originOf } from '#server/http/audited.ts'
import { fieldErrors } from '#server/http/translate-error.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { type Html, html } from '#server/infra/html.ts'
import { disconnect } from '#server/integrations/connections/disconnect.ts'
import { findConnectable } from '#server/integrations/connections/find-connectable.ts'
import { listSellerAccounts } from '#server/integrations/connections/list-seller-accounts.ts'
import { connectionUrl, issueTicket } from '#server/integrations/connections/ticket.ts'
import type { Services } from '#server/services.ts'
import { accounts } from '#shared/contract/accounts.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import { contract } from '#shared/contract/index.ts'
import { OAuthSlug, platformOf, platforms } from '#shared/platforms.ts'
import { rateLimitMessage } from '../account/rate-limit-message.ts'
import { sendPage } from '../layout.ts'
import { clientOf } from '../request-client.ts'
import { hasAppCookie, setAppCookie } from '../web-app/credential.ts'
import { addressLine } from './address.ts'
import { sendContinuePage } from './continue-page.ts'
import { readOwnForm } from './own-form.ts'
import { passkeyAnswerOf, sendPasskeyPage } from './passkey-page.ts'
import { seeOther } from './see-other.ts'
import { closeSession, type Destination, openSession, type PageSession, readSession, signedIn } from './session.ts'
import { signOutForm } from './sign-out-form.ts'
import { subscriptionLine } from './subscription.ts'

/**
 * `/connect/`: sellers sign in and connect shops here, in forms without scripts. The extension relies on it, because
 * API keys cannot manage connections.
 */
export function connectPages(services: Services) {
  const { db } = services
  const { form } = signedIn(db)

  const show: Koa.Middleware = async (ctx) => {
    const session = await readSession(db, ctx)
    const to = destinationOf(ctx)
    // The page's session has no token that the web app could use.
    const signsIntoApp = to === 'app' && !hasAppCookie(ctx, services.config.PUBLIC_URL)
    if (!session || signsIntoApp) sendSignIn(ctx)
    else if (isSlug(to)) await sendToPlatform(ctx, session, to)
    else if (to) seeOther(ctx, pathOf(to))
    else await sendShops(ctx, services, session)
  }

  async function sendToPlatform(ctx: Koa.Context, session: PageSession, slug: string): Promise<void> {
    const { platform } = findConnectable(services, slug)
    const { ticket } = await issueTicket(db, session, platform.slug)
    sendContinuePage(ctx, platform.name, connectionUrl('', platform.slug, ticket))
  }

  const signIn: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const email = form.get('email') ?? ''
    const body = accounts.logInByPassword.body.safeParse({ email, password: form.get('password') })
    if (!body.success) return sendSignIn(ctx, { status: 400, email, error: 'Enter your email address and password.' })
    const failed = await openSessionFor(ctx, 'session.created', () =>
      logInByPassword(services, body.data, clientOf(ctx)),
    )
    if (failed?.signin_token) sendSecondStep(ctx, failed.signin_token)
    else if (failed) sendSignIn(ctx, { ...failed, email })
  }

  /** Handles the second step after the password: a code of the app, or a recovery code. */
  const secondStep: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const signin_token = form.get('signin_token') ?? ''
    const typed = (form.get('code') ?? '').trim()
    const proof = /^[\d\s]{6,9}$/.test(typed) ? { code: typed } : { recovery_code: typed }
    const body = contract.logInBySecondFactor.body.safeParse({ signin_token, ...proof })
    if (!body.success) return sendSecondStep(ctx, signin_token, { status: 400, error: 'Enter the code of your app.' })
    const failed = await openSessionFor(ctx, 'session.created', () =>
      logInBySecondFactor(services, body.data, clientOf(ctx)),
    )
    if (failed) sendSecondStep(ctx, signin_token, failed)
  }

  const beginPasskeyLogin: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    sendPasskeyPage(ctx, {
      title: 'Sign in with a passkey',
      lead: 'Your browser or phone asks for your fingerprint, face or PIN.',
      action: `/connect/passkey/finish/${destinationQuery(ctx)}`,
      kind: 'get',
      begun: await beginPasskeyUse(services),
      button: 'Continue',
      back: { href: `/connect/${destinationQuery(ctx)}`, label: 'Use your password instead' },
    })
  }

  const passkeyLogin: Koa.Middleware = async (ctx) => {
    const answer = contract.logInByPasskey.body.safeParse(passkeyAnswerOf(await readOwnForm(ctx)))
    const error = 'The passkey was not accepted. Try again, or use your password.'
    if (!answer.success) return sendSignIn(ctx, { status: 400, email: '', error })
    const failed = await openSessionFor(ctx, 'session.created', () =>
      logInByPasskey(services, answer.data, clientOf(ctx)),
    )
    if (failed) sendSignIn(ctx, { status: failed.status, email: '', error })
  }

  const showRegister: Koa.Middleware = (ctx) => sendRegister(ctx)

  const register: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const email = form.get('email') ?? ''
    const body = accounts.registerByEmail.body.safeParse({
      email,
      password: form.get('password') ?? '',
      password_confirm: form.get('password_confirm') ?? '',
    })
    if (!body.success) {
      const errors = fieldErrors(body.error).map(sentence)
      return sendRegister(ctx, { status: 400, email, error: [...new Set(errors)].join(' ') })
    }
    const failed = await openSessionFor(ctx, 'account.registered', () =>
      registerByEmail(services, body.data, clientOf(ctx)),
    )
    if (failed) sendRegister(ctx, { ...failed, email })
  }

  /**
   * Opens the page's session with the token from signing in or registering. Returns the refusal for the form to show.
   */
  async function openSessionFor(
    ctx: Koa.Context,
    action: AuditAction,
    ask: () => Promise<{ user: { id: number }; token: string }>,
  ): Promise<{ status: number; error: string; signin_token?: string | undefined } | null> {
    try {
      const { user, token } = await ask()
      const isForApp = destinationOf(ctx) === 'app'
      await openSession(db, ctx, { user_id: user.id, token, endsToken: !isForApp })
      if (isForApp) setAppCookie(ctx, services.config, token)
      await services.audit.record({ user_id: user.id, action, origin: originOf(ctx) })
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status >= 500) throw error
      const { userId, code } = error
      if (userId !== undefined) {
        await services.audit.record({ user_id: userId, action, refusal: code, origin: originOf(ctx) })
      }
      ctx.set(error.headers)
      const errors = error.errors?.map(sentence)
      const text = errors?.join(' ') ?? error.message
      return { status: error.status, error: text, signin_token: error.members.signin_token }
    }
    const to = destinationOf(ctx)
    seeOther(ctx, to && !isSlug(to) ? pathOf(to) : `/connect/${destinationQuery(ctx)}`)
    return null
  }

  const start = form(async (ctx, session) => {
    const { platform } = findConnectable(services, String(ctx.params.slug))
    await sendToPlatform(ctx, session, platform.slug)
  })

  const disconnectShop = form(async (ctx, { user_id }) => {
    const target = String(ctx.params.uid)
    await disconnect(services, { user_id, seller_account_uid: target })
    await services.audit.record({ user_id, action: 'connection.ended', target, origin: originOf(ctx) })
    seeOther(ctx, '/connect/')
  })

  /** Sends the confirmation again: the first mail may be lost or expired, and no other page offers this. */
  const confirmAgain = form(async (ctx, session) => {
    try {
      await requestEmailVerification(services, session.user_id)
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.code !== 'rate_limited') throw error
      ctx.set(error.headers)
      return sendMailed(ctx, session, rateLimitMessage(Number(error.headers['retry-after'])))
    }
    sendMailed(ctx, session)
  })

  const signOut: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    await closeSession(db, ctx)
    seeOther(ctx, '/connect/')
  }

  return {
    showConnectPage: show,
    signInToConnect: signIn,
    giveSecondFactorOnPage: secondStep,
    beginPasskeyLoginOnPage: beginPasskeyLogin,
    logInByPasskeyOnPage: passkeyLogin,
    showRegisterPage: showRegister,
    registerOnPage: register,
    connectOnPage: start,
    disconnectOnPage: disconnectShop,
    confirmAgainOnPage: confirmAgain,
    signOutOfConnect: signOut,
  }
}

const destinations: readonly Destination[] = ['address', 'app', 'subscription', 'security']

/** Returns where the seller wants to go after signing in: one of our pages, or the platform of a shop to connect. */
function destinationOf(ctx: Koa.Context): Destination | OAuthSlug | null {
  return [...destinations, ...OAuthSlug.options].find((name) => name === ctx.query.to) ?? null
}

/** The web app shows what it keeps at once, but not before it has asked whose it is after a sign-in. */
const pathOf = (to: Destination) => (to === 'app' ? '/app/?signed-in' : `/connect/${to}/`)

const isSlug = (to: string | null): to is OAuthSlug => OAuthSlug.safeParse(to).success

const destinationQuery = (ctx: Koa.Context) => (destinationOf(ctx) ? `?to=${destinationOf(ctx)}` : '')

const fieldNames: Record<string, string> = {
  email: 'The email address',
  password: 'The password',
  password_confirm: 'The repeated password',
}

/** Returns the message for a field, with advice if the message alone is unclear. */
function sentence({ field, message }: { field: string; message: string }): string {
  if (message === 'must equal password') return 'The two passwords differ.'
  const text = `${fieldNames[field] ?? field} ${message}.`
  return message.includes('tried first') ? `${text} Choose another.` : text
}

function sendSignIn(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: sign in' : 'Sign in',
    status: failed?.status ?? 200,
    body: html`<h1>${signInTitle(destinationOf(ctx))}</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/${destinationQuery(ctx)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email ?? ''}"${described(failed)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described(failed)}>
<div><button>Sign in</button></div>
</form>
<form method="post" action="/connect/passkey/${destinationQuery(ctx)}"><button class="plain">Sign in with a passkey</button></form>
<p><a href="/account/forgot-password">Forgot your password?</a></p>
<p>New here? <a href="/connect/register/${destinationQuery(ctx)}">Create an account</a></p>`,
  })
}

function signInTitle(to: ReturnType<typeof destinationOf>): string {
  if (isSlug(to)) return `Sign in to connect ${platformOf(to).name}`
  return to ? 'Sign in' : 'Sign in to connect a shop'
}

/** Asks for the second factor after a correct password. */
function sendSecondStep(ctx: Koa.Context, signin_token: string, failed?: { status: number; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: enter your code' : 'Enter your code',
    status: failed?.status ?? 200,
    body: html`<h1>Enter your code</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/second-step/${destinationQuery(ctx)}">
<input type="hidden" name="signin_token" value="${signin_token}">
<label for="code">Code</label>
<p class="hint" id="code-hint">The 6 digits that your authenticator app shows for Hapax. Without the app, enter a recovery code.</p>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="60" aria-describedby="code-hint${failed ? ' problem' : ''}">
<div><button>Sign in</button></div>
</form>
<form method="post" action="/connect/passkey/${destinationQuery(ctx)}"><button class="plain">Use a passkey instead</button></form>
<p><a href="/connect/${destinationQuery(ctx)}">Start over</a></p>`,
  })
}

function sendRegister(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: create an account' : 'Create an account',
    status: failed?.status ?? 200,
    body: html`<h1>Create an account</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/register/${destinationQuery(ctx)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email ?? ''}"${described(failed)}>
<label for="password">Password</label>
<p class="hint" id="password-hint">At least 8 characters, with a letter and a number.</p>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128" aria-describedby="password-hint${failed ? ' problem' : ''}">
<label for="password_confirm">Password again</label>
<input id="password_confirm" name="password_confirm" type="password" autocomplete="new-password" required${described(failed)}>
<div><button>Create the account</button></div>
</form>
<p>Already have one? <a href="/connect/${destinationQuery(ctx)}">Sign in</a></p>`,
  })
}

const described = (failed: object | undefined) => failed !== undefined && html` aria-describedby="problem"`

async function sendShops(ctx: Koa.Context, services: Services, session: PageSession): Promise<void> {
  const address = await findAddress(services.db, session.user_id)
  const status = await findSubscriptionStatus(services.db, services.config, session.user_id)
  const shops = (await listSellerAccounts(services.db, session.user_id)).filter((shop) => shop.status !== 'revoked')
  const connectable = platforms.filter(({ connection, slug }) => connection === 'oauth' && services.platforms.has(slug))
  const missing = platforms.filter(({ connection, slug }) => connection === 'oauth' && !services.platforms.has(slug))
  sendPage(ctx, {
    title: 'Connect a shop',
    body: html`<h1>Connect a shop</h1>
<p>Signed in as <strong>${session.account_name}</strong>.</p>
${session.unconfirmed && confirmFirst(session)}
${connectable.map(
  ({ slug, name }) => html`<form method="post" action="/connect/${slug}/"><button>Connect ${name}</button></form>`,
)}
${missing.map(({ name }) => html`<p class="soft">${name} is not set up on this server.</p>`)}
<h2>Your shops</h2>
${shops.length === 0 ? html`<p class="soft">None yet.</p>` : shopList(shops)}
<p class="soft">Poshmark, Mercari and Depop work through the <a href="/extension/">browser extension</a>: open your closet there, and it offers to import it.</p>
<p><a class="button plain" href="/app/">Open Hapax</a></p>
<h2>Your address</h2>
${
  address
    ? html`<p class="text">${addressLine(address)}</p><p><a href="/connect/address/">Change the address</a></p>`
    : html`<p><a href="/connect/address/">Add your shipping address</a> to start listing.</p>`
}
<h2>Your subscription</h2>
<p>${subscriptionLine(status)}</p>
<p><a href="/connect/subscription/">${status.subscription.active ? 'See the subscription' : 'Get a subscription'}</a></p>
<h2>Sign-in and security</h2>
<p><a href="/connect/security/">Sessions, passkeys and second factor</a></p>
${signOutForm}`,
  })
}

const confirmFirst = ({ account_name }: PageSession): Html => html`<div class="note">
<p>A link that confirms the address was sent to <strong>${account_name}</strong>. Open it to confirm the address.</p>
<form method="post" action="/connect/confirmation/"><button class="plain">Send the link again</button></form>
</div>`

function sendMailed(ctx: Koa.Context, { account_name, unconfirmed }: PageSession, refusal?: string): void {
  const title = unconfirmed ? 'Check your inbox' : 'Your email address is confirmed'
  sendPage(ctx, {
    title: refusal ? 'No link was sent' : title,
    status: refusal ? 429 : 200,
    body: html`<h1>${refusal ? 'No link was sent' : title}</h1>
${
  refusal
    ? html`<p class="error" role="alert">${refusal}</p>`
    : unconfirmed &&
      html`<p class="good" role="status">A link is on its way to <strong>${account_name}</strong>. It works once, for 24 hours.</p>`
}
<p><a class="button" href="/connect/">Back to your shops</a></p>`,
  })
}

type ShownShop = Pick<SellerAccount, 'uid' | 'platform' | 'external_name' | 'status' | 'sale_notices'>

function shopList(shops: ShownShop[]): Html {
  return html`<ul>${shops.map(
    (shop) => html`<li>${platformOf(shop.platform).name}: <strong>${shop.external_name}</strong>,
${shopState(shop)}
<details><summary>Disconnect</summary>
<p>${
      platformOf(shop.platform).connection === 'extension'
        ? 'Hapax removes it from your shops until you import it again. Your listings there stay as they are.'
        : 'Hapax stops reading its orders and no longer ends listings there when an item sells elsewhere. Your listings there stay as they are.'
    }</p>
<form method="post" action="/connect/shops/${shop.uid}/disconnect/"><button class="plain">Disconnect ${shop.external_name}</button></form></details></li>`,
  )}</ul>`
}

/** Formats the state of a shop. Shops that the extension reads are imported, not connected. */
function shopState({ platform, status, sale_notices }: ShownShop): Html {
  if (status !== 'connected') return html`<span class="warn">Reconnect it: Hapax cannot reach this shop</span>`
  if (sale_notices === 'consent_needed') {
    return html`<span class="warn">connected, but ${platformOf(platform).name} may not tell Hapax of sales at once: connect it again to allow it</span>`
  }
  return html`<span class="good">${platformOf(platform).connection === 'extension' ? 'read by the extension' : 'connected'}</span>`
}
