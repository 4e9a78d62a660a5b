import type Koa from 'koa'
import { HttpProblem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { sendPage } from './layout.ts'

/** Answers browsers with a 404 page. Other clients, and paths below `/api/`, get the problem document. */
export const notFoundPage: Koa.Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    const isReader = ctx.accepts(['json', 'html']) === 'html' && !ctx.path.startsWith('/api/')
    if (!isReader || !(error instanceof HttpProblem) || error.code !== 'not_found') throw error
    sendPage(ctx, {
      title: 'Page not found',
      status: 404,
      body: html`<h1>Page not found</h1>
<p>Check the address.</p>
<p><a class="button" href="/">Go to the home page</a></p>`,
    })
  }
}
