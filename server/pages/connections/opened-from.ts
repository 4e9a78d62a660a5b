import type Koa from 'koa'

/**
 * Whether another site, or who knows who, has sent a browser here (threats T68). Browsers say so in Sec-Fetch-Site, which no
 * page can forge: `none` is an app, a bookmark, the address typed. One from before it, or over plain http, says nothing:
 * then only our own page counts, by its Referer. What is no browser has nobody to be misled.
 */
export function isSentByOthers(ctx: Koa.Context): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '') return site !== 'same-origin' && site !== 'none'
  if (!ctx.get('user-agent').startsWith('Mozilla/')) return false
  const referer = ctx.get('referer')
  return !URL.canParse(referer) || new URL(referer).host !== ctx.host
}
