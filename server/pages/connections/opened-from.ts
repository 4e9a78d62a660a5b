import type Koa from 'koa'

/**
 * Whether a page of ours sent the browser here. Browsers say so in Sec-Fetch-Site, which no page can forge. `none` does not
 * count: it is also a link in a chat or a QR code, whose address may redirect here with a stranger's ticket.
 */
export const isSentByUs = (ctx: Koa.Context): boolean => ctx.get('sec-fetch-site') === 'same-origin'
