import type Koa from 'koa'

/**
 * Whether a form was sent from a page of ours (threats T68): browsers name the sender in Sec-Fetch-Site and Origin, and
 * no page can forge either. A request that names none is no browser's, and is refused.
 */
export function isOwnForm(ctx: Koa.Context): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '' && site !== 'same-origin') return false
  const origin = ctx.get('origin')
  if (origin === '') return site === 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === ctx.host
}
