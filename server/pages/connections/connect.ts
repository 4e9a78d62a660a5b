import type Koa from 'koa'
import { logInByPassword } from '#server/auth/log-in-by-password.ts'
import { registerByEmail } from '#server/auth/register-by-email.ts'
import { disconnect } from '#server/connections/disconnect.ts'
import { findConnectable } from '#server/connections/find-connectable.ts'
import { listSellerAccounts } from '#server/connections/list-seller-accounts.ts'
import { connectionUrl, issueTicket } from '#server/connections/ticket.ts'
import { HttpProblem, problem } from '#server/http/errors.ts'
import { fieldErrors } from '#server/http/translate-error.ts'
import type { Services } from '#server/services.ts'
import { accounts } from '#shared/contract/accounts.ts'
import { type PlatformSlug, platformOf, platforms } from '#shared/platforms.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../layout.ts'
import { sendOnward } from './onward.ts'
import { isOwnForm } from './own-form.ts'
import { readForm } from './read-form.ts'
import { closeSession, openSession, type PageSession, readSession } from './session.ts'

/**
 * `/connect/`: where a seller signs in and connects a shop in the browser. The extension needs it: it holds an API key
 * only, and no key reaches connections. Forms only, no script.
 */
export function connectPages(services: Services) {
  const { db } = services

  const show: Koa.Middleware = async (ctx) => {
    const session = await readSession(db, ctx)
    if (session) await sendShops(ctx, services, session)
    else sendSignIn(ctx)
  }

  const signIn: Koa.Middleware = async (ctx) => {
    const form = await readOwnForm(ctx)
    const email = form.get('email') ?? ''
    const body = accounts.logInByPassword.body.safeParse({ email, password: form.get('password') })
    if (!body.success) return sendSignIn(ctx, { status: 400, email, error: 'Enter your e-mail address and password.' })
    const failed = await enter(ctx, () => logInByPassword(services, body.data, ctx.state.address))
    if (failed) sendSignIn(ctx, { ...failed, email })
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
      const errors = fieldErrors(body.error).map(({ field, message }) => `${fieldNames[field] ?? field} ${message}.`)
      return sendRegister(ctx, { status: 400, email, error: [...new Set(errors)].join(' ') })
    }
    const failed = await enter(ctx, () => registerByEmail(services, body.data, ctx.state.address))
    if (failed) sendRegister(ctx, { ...failed, email })
  }

  /** Opens the page's session with what signing in or registering answered; a refusal is what the form then says. */
  async function enter(
    ctx: Koa.Context,
    ask: () => Promise<{ user: { id: number }; token: string }>,
  ): Promise<{ status: number; error: string } | null> {
    try {
      const { user, token } = await ask()
      await openSession(db, ctx, user.id, token)
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status >= 500) throw error
      ctx.set(error.headers)
      const errors = error.errors?.map(({ field, message }) => `${fieldNames[field] ?? field} ${message}.`)
      return { status: error.status, error: errors?.join(' ') ?? error.message }
    }
    seeOther(ctx, '/connect/')
    return null
  }

  const start: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    const { platform } = findConnectable(services, String(ctx.params.slug))
    const session = await readSession(db, ctx)
    if (!session) return seeOther(ctx, '/connect/')
    const { ticket } = await issueTicket(db, session, platform.slug)
    sendOnward(ctx, platform.name, connectionUrl('', platform.slug, ticket))
  }

  const disconnectShop: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    const session = await readSession(db, ctx)
    if (session) await disconnect(services, { user_id: session.user_id, seller_account_uid: String(ctx.params.uid) })
    seeOther(ctx, '/connect/')
  }

  const signOut: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    await closeSession(db, ctx)
    seeOther(ctx, '/connect/')
  }

  return { show, signIn, showRegister, register, start, disconnectShop, signOut }
}

const fieldNames: Record<string, string> = {
  email: 'The e-mail address',
  password: 'The password',
  password_confirm: 'The repeated password',
}

async function readOwnForm(ctx: Koa.Context): Promise<Map<string, string>> {
  if (!isOwnForm(ctx)) throw problem('wrong_credential_kind', 'This form was not sent from a page of Hapax.')
  return readForm(ctx)
}

function seeOther(ctx: Koa.Context, path: string): void {
  ctx.redirect(path)
  ctx.body = ''
  ctx.status = 303
}

function sendSignIn(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: 'Sign in',
    status: failed?.status ?? 200,
    body: html`<h1>Sign in to connect a shop</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email ?? ''}"${described(failed)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described(failed)}>
<div><button>Sign in</button></div>
</form>
<p><a href="/account/forgot-password">Forgot your password?</a></p>
<p>New here? <a href="/connect/register/">Create an account</a></p>`,
  })
}

function sendRegister(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: 'Create an account',
    status: failed?.status ?? 200,
    body: html`<h1>Create an account</h1>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/connect/register/">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${failed?.email ?? ''}"${described(failed)}>
<label for="password">Password</label>
<p class="hint" id="password-hint">At least 8 characters, with a letter and a number.</p>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128" aria-describedby="password-hint${failed ? ' problem' : ''}">
<label for="password_confirm">Password again</label>
<input id="password_confirm" name="password_confirm" type="password" autocomplete="new-password" required${described(failed)}>
<div><button>Create the account</button></div>
</form>
<p>Already have one? <a href="/connect/">Sign in</a></p>`,
  })
}

const described = (failed: object | undefined) => failed !== undefined && html` aria-describedby="problem"`

async function sendShops(ctx: Koa.Context, services: Services, session: PageSession): Promise<void> {
  const shops = (await listSellerAccounts(services.db, session.user_id)).filter((shop) => shop.status !== 'revoked')
  const connectable = platforms.filter(({ connection, slug }) => connection === 'oauth' && services.platforms.has(slug))
  const missing = platforms.filter(({ connection, slug }) => connection === 'oauth' && !services.platforms.has(slug))
  sendPage(ctx, {
    title: 'Connect a shop',
    body: html`<h1>Connect a shop</h1>
<p>Signed in as <strong>${session.account_name}</strong>.</p>
${connectable.map(
  ({ slug, name }) => html`<form method="post" action="/connect/${slug}/"><button>Connect ${name}</button></form>`,
)}
${missing.map(({ name }) => html`<p class="soft">${name} is not set up on this server.</p>`)}
<h2>Your shops</h2>
${shops.length === 0 ? html`<p class="soft">None yet.</p>` : shopList(shops)}
<p class="soft">Poshmark, Mercari and Depop need no connection: open your closet there, and the extension offers to import it.</p>
<form method="post" action="/connect/sign-out/"><button class="plain">Sign out</button></form>`,
  })
}

function shopList(shops: { uid: string; platform: PlatformSlug; external_name: string; status: string }[]): Html {
  return html`<ul>${shops.map(
    (shop) => html`<li>${platformOf(shop.platform).name}: <strong>${shop.external_name}</strong>,
${shop.status === 'connected' ? html`<span class="good">connected</span>` : html`<span class="warn">needs you: connect it again</span>`}
<details><summary>Disconnect</summary>
<p>Hapax then reads no more of its orders, and takes nothing down there when a thing sells elsewhere. What is listed stays as it is.</p>
<form method="post" action="/connect/shops/${shop.uid}/disconnect/"><button class="plain">Disconnect ${shop.external_name}</button></form></details></li>`,
  )}</ul>`
}
