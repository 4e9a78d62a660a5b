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
import { sendPage } from '../layout.ts'

/**
 * `/account/verify-email`: a form that confirms the address. It requires the account's password, because a stranger may
 * have created the account with somebody else's address. Without a password, the button alone confirms.
 */
export function verifyEmailPages(services: Services): { show: Koa.Middleware; confirm: Koa.Middleware } {
  return {
    async show(ctx) {
      const token = textFields(new URLSearchParams(ctx.querystring)).get('token')
      if (!token) throw linkInvalid()
      await sendForm(ctx, services, token)
    },

    async confirm(ctx) {
      const form = await readForm(ctx)
      const token = form.get('token') ?? ''
      const { has_password } = await readMailboxToken(services, 'verify', token, ctx.state.address)
      const password = has_password ? (form.get('password') ?? '') : undefined
      const body = declaration.body.safeParse({ token, password })
      if (!body.success) return sendForm(ctx, services, token, { status: 400, said: wrongPassword })
      try {
        const user_id = await confirmEmailVerification(services, body.data, ctx.state.address)
        await services.audit.record({ user_id, action: 'email.verified', origin: originOf(ctx) })
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'wrong_password') throw error
        return sendForm(ctx, services, token, { status: 400, said: wrongPassword })
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

const wrongPassword = 'This is not the password of the account.'

async function sendForm(
  ctx: Koa.Context,
  services: Services,
  token: string,
  failed?: { status: number; said: string },
): Promise<void> {
  const { email, has_password } = await readMailboxToken(services, 'verify', token, ctx.state.address)
  sendPage(ctx, {
    title: failed ? 'Error: confirm your email address' : 'Confirm your email address',
    status: failed?.status ?? 200,
    body: html`<h1>Confirm your email address</h1>
<p>Confirm that <strong>${maskEmail(email)}</strong>, the mailbox this link was sent to, belongs to your Hapax account.</p>
<p>${
      has_password
        ? 'You stay signed in on your devices.'
        : 'For safety, this ends API keys, linked accounts, webhook addresses and sessions made before. You then sign in again.'
    }</p>
<form method="post" action="/account/verify-email">
<input type="hidden" name="token" value="${token}">
${has_password && passwordField(failed?.said)}
<div><button>Confirm the address</button></div>
</form>
${has_password && html`<p>You do not know the password? <a href="/account/forgot-password">Set a new one</a>: that confirms the address too.</p>`}
<h2>You did not create an account?</h2>
<p>Then do not confirm it. Somebody may have used your address by mistake; without your confirmation it stays unproven.
To take the account over, <a href="/account/forgot-password">ask for a new password</a> for this address: that ends
whatever somebody else set up.</p>`,
  })
}

const passwordField = (said?: string) => html`<label for="password">The password of your account</label>
${said && html`<p class="error" role="alert" id="problem">${said}</p>`}
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${said && html` aria-describedby="problem" aria-invalid="true"`}>`
