import type Koa from 'koa'
import { maskEmail } from '#server/accounts/contact/email.ts'
import { linkInvalid, readMailboxToken } from '#server/accounts/email-verification/mailbox-tokens.ts'
import { confirmEmailVerification } from '#server/accounts/email-verification/verify-email.ts'
import { originOf } from '#server/http/audited.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { confirmEmailVerification as declaration } from '#shared/contract/account/accounts.ts'
import { readForm, textFields } from '../connections/read-form.ts'
import { createSessionReader } from '../connections/session.ts'
import { sendPage } from '../layout.ts'

/** Presses the button of the page. Scanners of links are not signed in, so they confirm nothing. */
const pressed = "document.querySelector('form').requestSubmit()"

/**
 * `/account/verify-email`: a button that confirms the address. A stranger may have created the account with somebody
 * else's address, so it confirms alone where the seller is signed in to the account. Elsewhere it asks for the password
 * of an account that has one. The button of such an account is pressed as soon as the link is opened.
 */
export function verifyEmailPages(services: Services): { show: Koa.Middleware; confirm: Koa.Middleware } {
  const readSession = createSessionReader(services)
  return {
    async show(ctx) {
      const token = textFields(new URLSearchParams(ctx.querystring)).get('token')
      if (!token) throw linkInvalid()
      await sendForm(ctx, services, token)
    },

    async confirm(ctx) {
      const form = await readForm(ctx)
      const token = form.get('token') ?? ''
      const { has_password, user_id: holder } = await readMailboxToken(services, 'verify', token, ctx.state.address)
      const isSignedIn = has_password && (await readSession(ctx))?.user_id === holder
      const password = has_password && !isSignedIn ? form.get('password') : undefined
      if (has_password && !isSignedIn && password === undefined) return sendForm(ctx, services, token, 'password')
      const body = declaration.body.safeParse({ token, password })
      if (!body.success) return sendForm(ctx, services, token, 'wrong password')
      try {
        const user_id = await confirmEmailVerification(services, { ...body.data, isSignedIn }, ctx.state.address)
        await services.audit.record({ user_id, action: 'email.verified', origin: originOf(ctx) })
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'wrong_password') throw error
        return sendForm(ctx, services, token, 'wrong password')
      }
      sendPage(ctx, {
        title: 'Your email address is confirmed',
        body: html`<h1>Your email address is confirmed</h1>
<p class="good" role="status">Thank you. ${has_password ? 'You stay signed in.' : 'Sign in again wherever you use Hapax.'}</p>
<p><a class="button" href="${has_password ? '/app/' : '/connect/?to=app'}">${has_password ? 'Open Hapax' : 'Sign in'}</a></p>`,
      })
    },
  }
}

async function sendForm(
  ctx: Koa.Context,
  services: Services,
  token: string,
  asks?: 'password' | 'wrong password',
): Promise<void> {
  const { email, has_password } = await readMailboxToken(services, 'verify', token, ctx.state.address)
  const isWrong = asks === 'wrong password'
  sendPage(ctx, {
    title: isWrong ? 'Error: confirm your email address' : 'Confirm your email address',
    status: isWrong ? 400 : 200,
    ...(has_password && !asks && { script: pressed }),
    body: html`<h1>Confirm your email address</h1>
<p>Confirm that <strong>${maskEmail(email)}</strong>, the mailbox this link was sent to, belongs to your Hapax account.</p>
<p>${
      has_password
        ? 'You stay signed in on your devices.'
        : 'For safety, this ends API keys, linked accounts, webhook addresses and sessions made before. You then sign in again.'
    }</p>
<form method="post" action="/account/verify-email">
<input type="hidden" name="token" value="${token}">
${asks && passwordField(isWrong)}
<div><button>Confirm the address</button></div>
</form>
${asks && html`<p>You do not know the password? <a href="/account/forgot-password">Set a new one</a>: that confirms the address too.</p>`}
<h2>You did not create an account?</h2>
<p>Then do not confirm it. Somebody may have used your address by mistake; without your confirmation it stays unproven.
To take the account over, <a href="/account/forgot-password">ask for a new password</a> for this address: that ends
whatever somebody else set up.</p>`,
  })
}

const passwordField = (isWrong: boolean) => html`<label for="password">The password of your account</label>
${isWrong && html`<p class="error" role="alert" id="problem">This is not the password of the account.</p>`}
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${isWrong && html` aria-describedby="problem" aria-invalid="true"`}>`
