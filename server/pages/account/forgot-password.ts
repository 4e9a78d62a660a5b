import type Koa from 'koa'
import { requestPasswordReset } from '#server/accounts/recovery/reset-password.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { requestPasswordReset as declaration } from '#shared/contract/account/accounts.ts'
import { readOwnForm } from '../connections/own-form.ts'
import { sendPage } from '../layout.ts'
import { rateLimitMessage } from './rate-limit-message.ts'

/**
 * `/account/forgot-password`: requests the mail whose link opens `/account/reset-password`. The response and the rate
 * limit are the same whether or not the address has an account. Rejects forms of other sites.
 */
export function forgotPasswordPages(services: Services): { show: Koa.Middleware; request: Koa.Middleware } {
  return {
    show: (ctx) => sendForm(ctx),

    async request(ctx) {
      const email = (await readOwnForm(ctx)).get('email') ?? ''
      const body = declaration.body.safeParse({ email })
      if (!body.success) return sendForm(ctx, { status: 400, email, error: invalidEmail })
      try {
        await requestPasswordReset(services, body.data, ctx.state.address)
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.status >= 500) throw error
        ctx.set(error.headers)
        const said =
          error.code === 'rate_limited' ? rateLimitMessage(Number(error.headers['retry-after'])) : invalidEmail
        return sendForm(ctx, { status: error.status, email, error: said })
      }
      sendPage(ctx, {
        title: 'Check your inbox',
        width: 'form',
        body: html`<h1>Check your inbox</h1>
<p class="good" role="status">If <strong>${email.trim()}</strong> has an account, we have sent a link to it.</p>
<p>The link works once, for 30 minutes, and opens a page where you set a new password.</p>
<p class="soft">No mail after a few minutes? Check your spam folder and the address, or
<a href="/account/forgot-password">ask again</a>.</p>`,
      })
    },
  }
}

const invalidEmail = 'Enter an email address, like name@example.com.'

function sendForm(ctx: Koa.Context, failed?: { status: number; email: string; error: string }): void {
  sendPage(ctx, {
    title: failed ? 'Error: forgot your password?' : 'Forgot your password?',
    status: failed?.status ?? 200,
    width: 'form',
    body: html`<h1>Forgot your password?</h1>
<p>Enter the email address of your account. We send a link there that sets a new password.</p>
${failed && html`<p class="error" role="alert" id="problem">${failed.error}</p>`}
<form method="post" action="/account/forgot-password">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${failed?.email ?? ''}"${failed && html` aria-describedby="problem"`}${failed?.status === 400 && html` aria-invalid="true"`}>
<div><button>Send the link</button></div>
</form>
<p>Remembered it? <a href="/connect/?to=app">Sign in</a></p>`,
  })
}
