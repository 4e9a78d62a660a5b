import type { Room } from '#server/room.ts'
import { decideMail } from './deciding/decide-mail.ts'
import { encryptedSaleMail } from './encryption.ts'
import * as sql from './queries.ts'
import { saleMailRoutes } from './routes.ts'
import { sandboxMails } from './sandbox-mails.ts'
import { type SaleMailJob, saleMailQueue } from './store-mail.ts'
import { mailsAtOnce } from './verifying/examine-mail.ts'
import { startSmtpListener } from './ways-in/smtp-listener.ts'
import { startMailboxWorker } from './worker.ts'

/** Mails of marketplaces about sales. */
export const saleMailRoom = {
  tables: { user: ['sale_mail', 'sale_mailbox'], reference: ['sale_mail_address', 'sale_mail_recipient'] },
  clockColumns: { sale_mailbox: ['checked_at', 'next_try_at', 'lease_until'] },
  encrypted: encryptedSaleMail,
  purges: [sql.purgeSaleMail, sql.forgetRawMail],
  routes: saleMailRoutes,
  jobs: (services) => [
    {
      queue: saleMailQueue,
      concurrency: mailsAtOnce,
      // A seller's mails are decided in turn: a sale, then its cancellation.
      groupConcurrency: 1,
      retryLimit: 50,
      retryDelaySeconds: 2,
      longestRetryDelaySeconds: 300,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: (job: SaleMailJob) => decideMail(services, job),
    },
  ],
  workers: [
    startMailboxWorker,
    (services) => {
      const { SALE_MAIL_PORT: port } = services.config
      return port === undefined ? null : startSmtpListener(services, port)
    },
  ],
  hooks: { closed: [(_services, tx, { user_id }) => tx.none(sql.removeWaysIn({ user_id }))] },
  ports: ({ ROLE, HOST: host, SALE_MAIL_PORT: port }) =>
    port === undefined || ROLE === 'api' ? [] : [{ setting: 'SALE_MAIL_PORT', port, host }],
  dependent: ({ ROLE }) => [
    ['SALE_MAIL_CERT_FILE', 'SALE_MAIL_KEY_FILE'],
    ['SALE_MAIL_KEY_FILE', 'SALE_MAIL_CERT_FILE'],
    ['SALE_MAIL_PORT', 'SALE_MAIL_DOMAIN'],
    ['SALE_MAIL_CERT_FILE', 'SALE_MAIL_PORT'],
    // Only workers take mails.
    ...(ROLE === 'api' ? [] : [['SALE_MAIL_DOMAIN', 'SALE_MAIL_PORT'] as const]),
  ],
  gauges: [
    {
      name: 'sale_mailbox_oldest_reading_seconds',
      help: 'Time since the mailbox read longest ago was read.',
      read: async (queries) => (await queries.one(sql.readMailboxAge())).seconds,
    },
  ],
  sandboxPart: sandboxMails,
} satisfies Room
