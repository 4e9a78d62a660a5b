import type Koa from 'koa'
import { translateError } from '#server/http/answers/translate-error.ts'
import { html } from '#server/infra/html.ts'
import { appPath } from '#shared/app-places.ts'
import { sendPage } from '../layout.ts'

/** Turns errors into a page. Clients that ask for JSON get problem+json. Logs server errors first. */
export const errorsAsPages: Koa.Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    if (ctx.accepts('html', 'json') === 'json') throw error
    const answer = translateError(error)
    if (answer.status >= 500) {
      ctx.state.log.error({ err: answer.cause ?? error, operation: ctx.state.operationId }, 'request failed')
    }
    ctx.set(answer.headers)
    const signsIn = answer.code === 'unauthenticated' || answer.code === 'registration_closed'
    sendPage(ctx, {
      title: titles[answer.code] ?? 'That did not work',
      status: answer.status,
      body: html`<h1>${titles[answer.code] ?? 'That did not work'}</h1>
<p class="error">${answer.code === 'unauthenticated' ? 'Connecting begins on the page of your shops.' : answer.message}</p>
<p><a class="button" href="${appPath('shops')}">${signsIn ? 'Sign in' : 'Your shops'}</a></p>
<p class="soft">Reference: <code>${ctx.state.requestId}</code></p>`,
    })
  }
}

const titles: Partial<Record<string, string>> = {
  not_found: 'There is no such page',
  unauthenticated: 'Sign in first',
  registration_closed: 'No account can be made here',
  wrong_credential_kind: 'This is not allowed',
  platform_not_connectable: 'There is nothing to connect',
  platform_not_configured: 'This platform is not set up here',
  unavailable: 'Hapax cannot answer right now',
  internal: 'Something went wrong on our side',
}
