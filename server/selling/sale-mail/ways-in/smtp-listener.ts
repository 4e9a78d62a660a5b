import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Config } from '#server/config.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { findSeller } from '../address.ts'
import { maxReadBytes } from '../reading/parse-mail.ts'
import { storeMail } from '../store-mail.ts'

/** Largest mail that is taken, in bytes. Only as much is held in memory as is read. */
export const maxMailBytes = 16_000_000
/** Connections of one sender at once, and of all. */
const [maxOfSender, maxOfAll] = [20, 100]
/** Mails that one sender may bring within ten minutes: mail services forward for many sellers. */
const pace = { points: 20_000, duration: 600 }
const maxRecipients = 10

interface SaleMailListener {
  port: number
  stop(): Promise<void>
}

/** Returns an error with the code that the sender is told. Senders try again after a code that begins with 4. */
const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/**
 * Takes mails to sellers' addresses by SMTP. A mail is accepted once it is stored for each of them; nothing is relayed.
 * TLS is offered by STARTTLS.
 */
export async function startSmtpListener(services: Services, port: number): Promise<SaleMailListener> {
  const { config, log } = services
  const limiter = new RateLimiterMemory(pace)
  const open = new Map<string, number>()
  const sellers = new WeakMap<object, Map<string, number>>()
  const server = new SMTPServer({
    name: config.SALE_MAIL_DOMAIN ?? 'localhost',
    banner: 'Hapax sale mail',
    ...(await readCertificate(config)),
    size: maxMailBytes,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    maxClients: maxOfAll,
    socketTimeout: 60_000,
    closeTimeout: 1_000,
    logger: false,
    onConnect(session, done) {
      const count = (open.get(session.remoteAddress) ?? 0) + 1
      open.set(session.remoteAddress, count)
      done(count > maxOfSender ? refusal(421, 'Too many connections, try again later') : null)
    },
    onClose(session) {
      const left = (open.get(session.remoteAddress) ?? 1) - 1
      if (left > 0) open.set(session.remoteAddress, left)
      else open.delete(session.remoteAddress)
    },
    onMailFrom(_address, session, done) {
      sellers.delete(session)
      limiter.consume(session.remoteAddress).then(
        () => done(),
        () => done(refusal(451, 'Too many mails, try again later')),
      )
    },
    onRcptTo({ address }, session, done) {
      findSeller(services, address).then(
        (seller) => {
          const found = sellers.get(session) ?? new Map<string, number>()
          if (seller === 'none') return done(refusal(554, '5.7.1 Nothing is relayed'))
          if (seller === 'unknown') return done(refusal(550, '5.1.1 No such address'))
          if (found.size >= maxRecipients) return done(refusal(452, '4.5.3 Too many recipients'))
          sellers.set(session, found.set(address.toLowerCase(), seller.user_id))
          return done()
        },
        (error: unknown) => {
          log.error({ err: error }, 'the address of a sale mail could not be looked up')
          done(refusal(451, 'Try again later'))
        },
      )
    },
    onData(stream, session, done) {
      const user_ids = new Set(sellers.get(session)?.values())
      sellers.delete(session)
      receive(stream)
        .then(async ({ raw, size }) => {
          if (stream.sizeExceeded) throw refusal(552, `A mail may have ${maxMailBytes} bytes`)
          await transaction(services.db, 'store-mails', async (tx) => {
            for (const user_id of user_ids) await storeMail(services, tx, { user_id, via: 'smtp', raw, size })
          })
        })
        .then(
          () => done(null, 'stored'),
          (error: unknown) => {
            if (error instanceof Error && 'responseCode' in error) return done(error)
            log.error({ err: error }, 'a sale mail could not be stored')
            return done(refusal(451, 'Try again later'))
          },
        )
    },
  })
  // A sender that leaves in the middle, or speaks no SMTP.
  server.on('error', (error: Error) => log.debug({ err: error }, 'a connection with a sale mail failed'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, config.HOST, resolve)
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Reads a mail to its end, and keeps at most as much as is read later. */
async function receive(stream: SMTPServerDataStream): Promise<{ raw: Buffer; size: number }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < maxReadBytes) chunks.push(chunk)
    size += chunk.length
  }
  return { raw: Buffer.concat(chunks), size }
}

/** Returns the certificate of the operator, if any. Errors name the setting. */
async function readCertificate(config: Config): Promise<{ cert?: Buffer; key?: Buffer }> {
  const { SALE_MAIL_CERT_FILE: cert, SALE_MAIL_KEY_FILE: key } = config
  if (cert === undefined || key === undefined) return {}
  const read = (setting: string, path: string) =>
    readFile(path).catch((cause: unknown) => {
      throw new Error(`${setting}: the file ${path} cannot be read.`, { cause })
    })
  return { cert: await read('SALE_MAIL_CERT_FILE', cert), key: await read('SALE_MAIL_KEY_FILE', key) }
}
