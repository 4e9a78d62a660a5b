import type Koa from 'koa'
import type { Client } from '#server/accounts/auth/sessions/origin.ts'

/** Where the request of a page comes from, as the API's handlers are told it. */
export const clientOf = (ctx: Koa.Context): Client => ({
  address: ctx.state.address,
  userAgent: ctx.get('user-agent').slice(0, 300),
})
