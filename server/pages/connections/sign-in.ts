import type Koa from 'koa'
import { invitationHashOf, mayRegister, refuseStranger } from '#server/accounts/registration/admit.ts'
import { beginPasskeyUse, logInByPasskey } from '#server/accounts/sign-in/passkeys/use-passkey.ts'
import { logInByPassword } from '#server/accounts/sign-in/password/log-in-by-password.ts'
import { registerByEmail } from '#server/accounts/sign-in/password/register-by-email.ts'
import { logInBySecondFactor } from '#server/accounts/sign-in/second-factor/complete-sign-in.ts'
import { fieldErrors } from '#server/http/answers/translate-error.ts'
import { originOf } from '#server/http/audited.ts'
import type { RequestCredential } from '#server/http/credentials/reauthorize.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { findConnectable } from '#server/integrations/connections/find-connectable.ts'
import { connectionUrl, issueTicket } from '#server/integrations/connections/ticket.ts'
import type { Services } from '#server/services.ts'
import { type AppPlace, appPlaceOf, appPlaces } from '#shared/app-places.ts'
import { accounts } from '#shared/contract/account/accounts.ts'
import type { AuditAction } from '#shared/contract/account/audit.ts'
import { contract } from '#shared/contract/index.ts'
import { OAuthSlug, platformOf } from '#shared/platforms.ts'
import { sendPage } from '../layout.ts'
import { clientOf } from '../request-client.ts'
import { setAppCookie } from '../web-app/credential.ts'
import { sendContinuePage } from './continue-page.ts'
import { readOwnForm } from './own-form.ts'
import { passkeyAnswerOf, sendPasskeyPage } from './passkey-page.ts'
import { seeOther } from './see-other.ts'
import type { ReadSession } from './session.ts'

/**
 * `/connect/`: sellers sign in or register here, in forms without scripts, and go on to the web app or to the platform of
 * a shop to connect. The extension relies on it, because API keys cannot manage connections.
 */
export function signInPages(services: Services, readSession: ReadSession) {
  const { config, db } = services

  const show: Koa.Middleware = async (ctx) => {
    const session = await readSession(ctx)
    const to = destinationOf(ctx)
    if (!session) await sendSignIn(services, ctx)
    else if (isSlug(to)) await sendToPlatform(ctx, session, to)
    else seeOther(ctx, `/app/${appPlaces[to]}`)
  }

  async function sendToPlatform(ctx: Koa.Context, session: RequestCredential, slug: string): Promise<void> {
    const { platform } = findConnectable(services, slug)
    const { ticket } = await issueTicket(db, session, platform.slug)
    sendContinuePage(ctx, platform.name, connectionUrl('', platform.slug, ticket))
  }

  const signIn: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const email = form.get('email') ?? ''
    const body = accounts.logInByPassword.body.safeParse({ email, password: form.get('password') })
    if (!body.success)
      return sendSignIn(services, ctx, { status: 400, email, error: 'Enter your email address and password.' })
    const failed = await openSessionFor(ctx, 'session.created', () =>
      logInByPassword(services, body.data, clientOf(ctx)),
    )
    if (failed?.signin_token) sendSecondStep(ctx, failed.signin_token)
    else if (failed) await sendSignIn(services, ctx, { ...failed, email })
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
    sendPasskeyPage(ctx, await beginPasskeyUse(services), destinationQuery(ctx))
  }

  const passkeyLogin: Koa.Middleware = async (ctx) => {
    const answer = contract.logInByPasskey.body.safeParse(passkeyAnswerOf(await readOwnForm(ctx)))
    const error = 'The passkey was not accepted. Try again, or use your password.'
    if (!answer.success) return sendSignIn(services, ctx, { status: 400, email: '', error })
    const failed = await openSessionFor(ctx, 'session.created', () =>
      logInByPasskey(services, answer.data, clientOf(ctx)),
    )
    if (failed) await sendSignIn(services, ctx, { status: failed.status, email: '', error })
  }

  const showRegister: Koa.Middleware = async (ctx) => {
    await refuseStranger(services, invitationHashOf(invitationOf(ctx)))
    sendRegister(ctx)
  }

  const register: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    const body = accounts.registerByEmail.body.safeParse({
      email,
      password,
      // The form can show the password instead of asking for it twice.
      password_confirm: password,
      invitation: invitationOf(ctx),
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
   * Opens the web app's session with the token from signing in or registering. Returns the refusal for the form to show.
   */
  async function openSessionFor(
    ctx: Koa.Context,
    action: AuditAction,
    ask: () => Promise<{ user: { id: number }; token: string }>,
  ): Promise<{ status: number; error: string; signin_token?: string | undefined } | null> {
    try {
      const { user, token } = await ask()
      setAppCookie(ctx, config, token)
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
    // The app shows what it keeps at once, but not before it has asked whose it is after a sign-in.
    seeOther(ctx, isSlug(to) ? `/connect/?to=${to}` : `/app/?signed-in${appPlaces[to]}`)
    return null
  }

  return {
    showConnectPage: show,
    signInToConnect: signIn,
    giveSecondFactorOnPage: secondStep,
    beginPasskeyLoginOnPage: beginPasskeyLogin,
    logInByPasskeyOnPage: passkeyLogin,
    showRegisterPage: showRegister,
    registerOnPage: register,
  }
}

/** Returns where the seller wants to go after signing in. Other values lead nowhere, so no link redirects elsewhere. */
function destinationOf(ctx: Koa.Context): AppPlace | OAuthSlug {
  return OAuthSlug.options.find((slug) => slug === ctx.query.to) ?? appPlaceOf(ctx.query.to) ?? 'shops'
}

const isSlug = (to: string): to is OAuthSlug => OAuthSlug.safeParse(to).success

const destinationQuery = (ctx: Koa.Context) => (ctx.query.to === destinationOf(ctx) ? `?to=${destinationOf(ctx)}` : '')

/** Returns the invitation of the link that led here. */
const invitationOf = (ctx: Koa.Context) => (typeof ctx.query.invitation === 'string' ? ctx.query.invitation : undefined)

/** Returns the query of the form that registers: it keeps the destination and the invitation. */
function registrationQuery(ctx: Koa.Context): string {
  const [invitation, to] = [invitationOf(ctx), ctx.query.to === destinationOf(ctx) && destinationOf(ctx)]
  return `?${new URLSearchParams({ ...(to && { to }), ...(invitation && { invitation }) })}`
}

const fieldNames: Record<string, string> = {
  email: 'The email address',
  password: 'The password',
}

/** Returns the message for a field, with advice if the message alone is unclear. */
function sentence({ field, message }: { field: string; message: string }): string {
  const text = `${fieldNames[field] ?? field} ${message}.`
  return message.includes('tried first') ? `${text} Choose another.` : text
}

async function sendSignIn(
  services: Services,
  ctx: Koa.Context,
  failed?: { status: number; email: string; error: string },
): Promise<void> {
  const isOpen = await mayRegister(services)
  sendPage(ctx, {
    title: failed ? 'Error: sign in' : 'Sign in',
    status: failed?.status ?? 200,
    width: 'form',
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
${isOpen && html`<p>New here? <a href="/connect/register/${destinationQuery(ctx)}">Create an account</a></p>`}`,
  })
}

function signInTitle(to: AppPlace | OAuthSlug): string {
  return isSlug(to) ? `Sign in to connect ${platformOf(to).name}` : 'Sign in'
}

/** Asks for the second factor after a correct password. */
function sendSecondStep(ctx: Koa.Context, signin_token: string, failed?: { status: number; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: enter your code' : 'Enter your code',
    status: failed?.status ?? 200,
    width: 'form',
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

/** Shows the typed password while the button is pressed in. Without scripts the button stays hidden. */
const showPassword = `
const show = document.getElementById('show')
const { password } = show.form.elements
show.hidden = false
show.addEventListener('click', () => {
  const isShown = password.type === 'password'
  password.type = isShown ? 'text' : 'password'
  show.setAttribute('aria-pressed', isShown)
})
// A browser saves the password of a form only from a password field.
show.form.addEventListener('submit', () => {
  password.type = 'password'
})
`

function sendRegister(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: create an account' : 'Create an account',
    status: failed?.status ?? 200,
    width: 'form',
    body: html`<h1>Create an account</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/register/${registrationQuery(ctx)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email ?? ''}"${described(failed)}>
<label for="password">Password</label>
<p class="hint" id="password-hint">At least 8 characters, with a letter and a number.</p>
<div class="with-button"><input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128" aria-describedby="password-hint${failed ? ' problem' : ''}">
<button type="button" class="plain" id="show" aria-label="Show password" aria-pressed="false" hidden>Show</button></div>
<div><button>Create account</button></div>
</form>
<p>Already have one? <a href="/connect/${destinationQuery(ctx)}">Sign in</a></p>`,
    script: showPassword,
  })
}

const described = (failed: object | undefined) => failed !== undefined && html` aria-describedby="problem"`
