import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { verify } from '@node-rs/argon2'
import Koa from 'koa'
import pgPromise from 'pg-promise'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { usualTimeouts, withTimeouts } from '#server/http/timeouts.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { jobKinds } from '#server/job-kinds.ts'
import { connectionHooks } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { getCatalogue } from '#shared/contract/extension.ts'
import type { Answer } from './stage.ts'

/**
 * Runs one server of a benchmark in a separate process: `serve.ts hapax|bare <database url> <answers of hapax>`. Sends
 * its port to the parent, and ends with it.
 */
const [, , kind = 'hapax', url = '', answers = '{}'] = process.argv
const app = kind === 'bare' ? bare(url, JSON.parse(answers)) : await hapax(url)
const server = createServer(withTimeouts(usualTimeouts), app)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
process.on('disconnect', () => process.exit(0))

/**
 * Creates the reference: Koa, its router, and pg-promise with one prepared statement for each answer, without limits,
 * usage, log or contract. `answers`: by path, what Hapax answers; the reference sends as many bytes.
 */
function bare(database: string, answers: Record<string, Answer>) {
  const db = pgPromise({ noWarnings: true })({ connectionString: database, max: 20 })
  const app = new Koa()
  const router = new Router()
  const userOf = (ctx: Koa.Context, found: { id: number; username: string; email: string } | null) => {
    if (!found) {
      ctx.status = 401
      return
    }
    ctx.set(answers[ctx.path]?.headers ?? {})
    ctx.body = { valid: true, user: { id: found.id, username: found.username, email: found.email } }
  }
  const byToken = (ctx: Koa.Context) => db.oneOrNone(statements.token, [hashSecret(ctx.get('authorization').slice(7))])
  const byKey = (ctx: Koa.Context) => db.oneOrNone(statements.key, [hashSecret(ctx.get('x-api-key'))])
  router.get('/api/auth/validate/', async (ctx) => userOf(ctx, await byToken(ctx)))
  router.get(getCatalogue.path, async (ctx) => {
    userOf(ctx, await byKey(ctx))
    if (ctx.status === 200) ctx.body = answers[ctx.path]?.body
  })
  router.get('/api/v1/inventory/', async (ctx) => {
    const user = await byKey(ctx)
    const results = user && (await db.any(statements.page, [user.id, 50]))
    ctx.status = user ? 200 : 401
    ctx.body = { results: results?.map(toItem), next_cursor: results?.at(-1)?.uid ?? null }
  })
  router.post('/api/auth/login/', async (ctx) => {
    const { email, password } = (await readWhole(ctx.req)) as { email: string; password: string }
    const user = await db.oneOrNone(statements.user, [email.toLowerCase()])
    const isRight = user && (await verify(user.password_hash, password))
    const token = newSecret('hpxt')
    if (isRight) await db.none(statements.newToken, [hashSecret(token), user.id])
    userOf(ctx, isRight ? user : null)
    if (isRight) ctx.body = { token, user: { id: user.id, username: user.username, email: user.email } }
  })
  app.use(router.routes())
  return app.callback()
}

const { PreparedStatement } = pgPromise

const statements = {
  token: new PreparedStatement({
    name: 'token',
    text: `select app_user.id, app_user.username, app_user.email from bearer_token token
      join app_user on app_user.id = token.user_id where token.token_hash = $1 and app_user.state = 'active'`,
  }),
  key: new PreparedStatement({
    name: 'key',
    text: `select app_user.id, app_user.username, app_user.email, key.scopes from api_key key
      join app_user on app_user.id = key.user_id where key.key_hash = $1 and app_user.state = 'active'
      and (key.expires_at is null or key.expires_at > now())`,
  }),
  user: new PreparedStatement({
    name: 'user',
    text: "select id, username, email, password_hash from app_user where email = $1 and state = 'active'",
  }),
  newToken: new PreparedStatement({
    name: 'new-token',
    text: 'insert into bearer_token (token_hash, user_id) values ($1, $2)',
  }),
  /** The item's columns with its listings. */
  page: new PreparedStatement({
    name: 'page',
    text: `select item.uid, sku, title, description, attributes, images, condition_label, condition_notes, inspected_at,
        evidence_urls, price_minor, currency, state, version, product_id, offer_id, aliases, seller_url,
        shipping_policy_url, returns_policy_url, observed_at, created_at, updated_at, listing.listings
      from inventory_item item
      cross join lateral (
        select json_agg(json_build_object('platform', platform, 'listing_id', listing_id, 'url', url, 'state', state,
          'price_minor', price_minor, 'currency', currency, 'listed_at', created_at, 'shop', seller_account_uid)) as listings
        from channel_listing where user_id = item.user_id and item_uid = item.uid
      ) as listing
      where user_id = $1 order by uid desc limit $2`,
  }),
}

/** Gives an item the shape of the API, so that the reference sends as many bytes. */
// biome-ignore lint/suspicious/noExplicitAny: rows of a statement that nothing types.
function toItem({ uid, sku, description, attributes, version, created_at, updated_at, listings, ...row }: any) {
  const url = `http://127.0.0.1/items/${uid}`
  const urls = listings.map((listing: { url: string }) => listing.url)
  return {
    ...{ uid, sku, description, attributes, version, created_at, updated_at },
    seller_account_uids: listings.map((listing: { shop: string }) => listing.shop),
    listings: listings.map(({ shop: _, ...listing }: { shop: string }) => listing),
    record: {
      ...{ physical_item_id: uid, product_id: row.product_id, offer_id: row.offer_id, title: row.title },
      ...{ canonical_url: url, aliases: [...urls, ...row.aliases] },
      channel_listings: listings.map(({ platform, listing_id, url }: Record<string, string>) => ({
        ...{ channel: platform, listing_id, url },
      })),
      images: row.images,
      condition: {
        ...{ label: row.condition_label, notes: row.condition_notes, inspected_at: row.inspected_at },
        evidence_urls: row.evidence_urls,
      },
      offer: {
        ...{ price_minor: row.price_minor, currency: row.currency, quantity: 1, availability: row.state },
        ...{ observed_at: row.observed_at, seller_url: row.seller_url },
        ...{ shipping_policy_url: row.shipping_policy_url, returns_policy_url: row.returns_policy_url },
      },
      lifecycle: { version: String(version), state: row.state, updated_at },
    },
  }
}

async function readWhole(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** Creates the real app with its real limits. */
async function hapax(database: string) {
  const config = readConfig({
    DATABASE_URL: database,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PUBLIC_URL: 'http://127.0.0.1',
    TRUSTED_HOPS: '1',
  })
  const db = openDatabase({ url: database })
  const log = createLog('info', { write: () => undefined })
  const now = () => new Date()
  const services: Services = {
    config,
    db,
    log,
    jobs: await openJobs({ url: database, works: false, log }),
    platforms: new Map(),
    fetch,
    passwords: createPasswordHasher(),
    limits: realLimits,
    times: usualTimes,
    usage: createUsageRecorder({ db, log, now }),
    quotas: createQuotas({ db, config, now }),
    audit: createAuditTrail({ db, log, now, keptDays: 180 }),
    connectionHooks: connectionHooks(),
    atStop: createShutdownSteps(),
    now,
  }
  // A sign-in from a new device sends mail, so the queues must exist.
  await services.jobs.register(...jobKinds(services))
  return createApp(services).callback()
}
