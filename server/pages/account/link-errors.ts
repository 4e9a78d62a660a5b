import type Koa from 'koa'
import { translateError } from '#server/http/answers/translate-error.ts'
import { html } from '#server/infra/html.ts'
import { sendPage } from '../layout.ts'

/** Turns errors into a page for people who follow a link in a mail. Logs server errors first. */
export const linkErrors: Koa.Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    const answer = translateError(error)
    if (answer.status >= 500) {
      ctx.state.log.error({ err: answer.cause ?? error, operation: ctx.state.operationId }, 'request failed')
    }
    ctx.set(answer.headers)
    const title = answer.code === 'code_invalid' ? 'This link does not work' : 'That did not work'
    sendPage(ctx, {
      title,
      status: answer.status,
      body: html`<h1>${title}</h1>
<p class="error" role="alert">${answer.message}</p>
${answer.code === 'code_invalid' && ctx.path.startsWith('/account/reset-password') && html`<p><a class="button" href="/account/forgot-password">Ask for a new link</a></p>`}
${answer.code === 'code_invalid' && ctx.path.startsWith('/account/verify-email') && html`<p>Was it you who used it? Then the address is confirmed: <a href="/connect/?to=app">sign in</a>.</p>`}
<p class="soft">Reference: <code>${ctx.state.requestId}</code></p>`,
    })
  }
}
