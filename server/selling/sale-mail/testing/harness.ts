import nodemailer from 'nodemailer'
import { afterAll, beforeAll } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf, type Reply } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { type NameServer, startNameServer } from '#server/sandbox/name-server.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { startSmtpListener } from '../ways-in/smtp-listener.ts'
import { capturedMail, publishKeys, type Signing, sign } from './signed-mail.ts'

export interface MailSeller extends TestAccount {
  address: string
  shops: Record<string, string>
}

interface SaleMailHarness {
  readonly server: TestServer
  readonly dns: NameServer
  readonly smtpPort: number
  /** Builds an account with a verified address, an address for mails, and a shop on each marketplace. */
  build(platforms?: PlatformSlug[]): Promise<MailSeller>
  /** Inserts an item that is live in each shop of a seller, and returns its uid. */
  list(seller: MailSeller, item: ItemGiven): Promise<string>
  call(seller: Pick<MailSeller, 'bearer'>, method: string, path: string, body?: unknown): Promise<Reply>
  /** Sends a mail as it is. Rejects with the code of the answer. */
  send(to: string, raw: string): Promise<void>
  /** Sends a captured mail of a marketplace, signed by its domain, and waits until it is decided. */
  deliver(seller: MailSeller, name: string, given?: DeliverGiven): Promise<SaleMailMessage>
  messagesOf(seller: Pick<MailSeller, 'bearer'>): Promise<SaleMailMessage[]>
  stateOf(item_uid: string): Promise<string>
}

interface ItemGiven {
  title: string
  price_minor?: number
  sku?: string
  size?: string
  listing_ids?: Partial<Record<PlatformSlug, string>>
  state?: string
}

interface DeliverGiven extends Partial<Signing> {
  date?: Date
  /** Changes the mail before it is signed. */
  change?: (mail: string) => string
  /** Changes the signed mail. */
  forge?: (mail: string) => string
  /** The recipient that the mail names. */
  to?: string
}

/** The domain that signs a captured mail. */
const abroad = ['vinted.co.uk', 'vinted.fr', 'vinted.it']
const domains: Record<string, string> = {
  poshmark: 'poshmark.com',
  mercari: 'alerts.us.mercari.com',
  depop: 'alerts.depop.com',
  ebay: 'ebay.com',
  etsy: 'etsy.com',
  vinted: 'vinted.com',
  whatnot: 'whatnot.com',
  facebook: 'facebook.com',
  grailed: 'grailed.com',
  gmail: 'google.com',
}

const domain = 'in.hapax.example'
let made = 0
const asIs = (mail: string) => mail

/** Starts a server that takes mails, and a name server with the keys of all marketplaces, for the tests of a file. */
export function useSaleMail(options: TestServerOptions = {}): SaleMailHarness {
  let server: TestServer
  let dns: NameServer
  let listener: Awaited<ReturnType<typeof startSmtpListener>>
  beforeAll(async () => {
    dns = await startNameServer()
    publishKeys(dns, ...Object.values(domains), ...abroad, 'sendgrid.info', 'example.com')
    server = await startTestServer({
      ...options,
      environment: { SANDBOX: 'on', SALE_MAIL_DOMAIN: domain, SALE_MAIL_DNS: dns.address, ...options.environment },
    })
    listener = await startSmtpListener(server.services, 0)
  })
  afterAll(async () => {
    await listener?.stop()
    await server?.close()
    await dns?.close()
  })
  const call: SaleMailHarness['call'] = (seller, method, path, body) =>
    apiOf(server.url)(method, `/api/v1/sale-mail/${path}`, {
      headers: seller.bearer,
      ...(body !== undefined && { body }),
    })
  const messagesOf: SaleMailHarness['messagesOf'] = async (seller) =>
    (await call(seller, 'GET', 'messages/?page_size=100')).body.results
  const send: SaleMailHarness['send'] = async (to, raw) => {
    const transport = nodemailer.createTransport({ port: listener.port, host: '127.0.0.1', ignoreTLS: true })
    await transport
      .sendMail({ envelope: { from: 'bounces@example.com', to: [to] }, raw })
      .finally(() => transport.close())
  }
  return {
    get server() {
      return server
    },
    get dns() {
      return dns
    },
    get smtpPort() {
      return listener.port
    },
    async build(platforms = ['poshmark', 'mercari', 'depop']) {
      const account = await buildAccount(server.services.db)
      await server.services.db.none('update app_user set email_verified = true where id = $1', [account.user_id])
      const shops: Record<string, string> = {}
      for (const slug of platforms) shops[slug] = await insertShop(server.services.db, account.user_id, slug)
      return { ...account, shops, address: (await call(account, 'GET', '')).body.address }
    },
    async list({ user_id, shops }, { size, listing_ids = {}, state = 'available', ...item }) {
      const { db } = server.services
      const { price_minor = 4_250 } = item
      const item_uid = await insertItem(db, user_id, { ...item, price_minor })
      if (size) {
        await db.none(`update inventory_item set attributes = jsonb_build_object('size', $2::text) where uid = $1`, [
          item_uid,
          size,
        ])
      }
      for (const [slug, seller_account_uid] of Object.entries(shops)) {
        const platform = slug as PlatformSlug
        const listing_id = listing_ids[platform] ?? `${slug}-${++made}`
        await insertLiveListing(db, { user_id, item_uid, seller_account_uid, platform, listing_id, state })
        await db.none('update channel_listing set price_minor = $3 where user_id = $1 and listing_id = $2', [
          user_id,
          listing_id,
          price_minor,
        ])
      }
      return item_uid
    },
    call,
    send,
    messagesOf,
    async deliver(seller, name, { date, change = asIs, forge = asIs, to, ...signing } = {}) {
      const { count } = (await call(seller, 'GET', 'messages/')).body
      const mail = change(capturedMail(name, { to: to ?? seller.email, ...(date && { date }) }))
      const slug = name.replace(/^trap-/, '').split('-')[0]!
      const signed = await sign(mail, { domain: domains[slug] ?? 'example.com', ...signing })
      await send(seller.address, forge(signed))
      const messages = await until(
        () => messagesOf(seller),
        (all) => all.length > count,
      )
      return messages[0]!
    },
    stateOf: async (item_uid) =>
      (await server.services.db.one<{ state: string }>('select state from inventory_item where uid = $1', [item_uid]))
        .state,
  }
}
