import type Koa from 'koa'

/**
 * Returns whether a page of this server sent the browser here. Pages cannot forge Sec-Fetch-Site. `none` does not
 * count: it includes links in chats and QR codes, which may carry a stranger's ticket.
 */
export const isSameOrigin = (ctx: Koa.Context): boolean => ctx.get('sec-fetch-site') === 'same-origin'
