import type Koa from 'koa'
import type { Client } from '#server/accounts/sessions/origin.ts'

/** Returns the client of a page request, as the API's handlers expect it. */
export const clientOf = (ctx: Koa.Context): Client => ({
  address: ctx.state.address,
  userAgent: ctx.get('user-agent').slice(0, 300),
})
