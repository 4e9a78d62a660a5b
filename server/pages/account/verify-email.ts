import type Koa from 'koa'
import { linkInvalid, readMailboxToken } from '#server/auth/mailbox-tokens.ts'
import { confirmEmailVerification } from '#server/auth/verify-email.ts'
import { maskEmail } from '#server/contact/email.ts'
import type { Services } from '#server/services.ts'
import { readForm, textFields } from '../connections/read-form.ts'
import { html } from '../html.ts'
import { sendPage } from '../layout.ts'

/** `/account/verify-email`: a button that confirms, and what to do when the account is somebody else's doing. */
export function verifyEmailPages(services: Services): { show: Koa.Middleware; confirm: Koa.Middleware } {
  return {
    async show(ctx) {
      const token = textFields(new URLSearchParams(ctx.querystring)).get('token')
      if (!token) throw linkInvalid()
      const { email } = await readMailboxToken(services, 'verify', token, ctx.state.address)
      sendPage(ctx, {
        title: 'Confirm your e-mail address',
        body: html`<h1>Confirm your e-mail address</h1>
<p>Confirm that <strong>${maskEmail(email)}</strong>, the mailbox this link was sent to, belongs to your Hapax account.</p>
<p>API keys, linked accounts, webhook addresses and sessions made before end with it; you then sign in again.</p>
<form method="post" action="/account/verify-email">
<input type="hidden" name="token" value="${token}">
<div><button>Confirm the address</button></div>
</form>
<h2>You did not create an account?</h2>
<p>Then do not confirm it. Somebody may have used your address by mistake; without your confirmation it stays unproven.
To take the account over, <a href="/account/forgot-password">ask for a new password</a> for this address: that ends
whatever somebody else set up.</p>`,
      })
    },

    async confirm(ctx) {
      const token = (await readForm(ctx)).get('token') ?? ''
      await confirmEmailVerification(services, token, ctx.state.address)
      sendPage(ctx, {
        title: 'Your e-mail address is confirmed',
        body: html`<h1>Your e-mail address is confirmed</h1>
<p class="good" role="status">Thank you. Sign in again wherever you use Hapax.</p>
<p><a class="button" href="/connect/">Sign in</a></p>`,
      })
    },
  }
}
