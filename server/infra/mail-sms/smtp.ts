import type { Transporter } from 'nodemailer'
import { DeliveryError, type Mail, type Transport } from './message.ts'

/**
 * Creates an SMTP transport (`smtp://user:pass@host:port`). `requireTls`: send only over TLS. `verify` connects and
 * signs in without sending; `close` ends the connections.
 */
export function smtpTransport(options: { url: string; from: string; host: string; requireTls: boolean }): {
  send: Transport<Mail>
  verify: () => Promise<void>
  close: () => void
} {
  const settings = {
    url: options.url,
    requireTLS: options.requireTls,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
  let opened: Promise<Transporter> | undefined
  // The library is loaded with the first mail, since it takes memory and time of every start.
  const open = () => {
    opened ??= import('nodemailer').then(({ createTransport }) => createTransport(settings, { from: options.from }))
    return opened
  }
  return {
    close: () => void opened?.then((transporter) => transporter.close()),
    async verify() {
      const transporter = await open()
      await transporter.verify().catch((error: SmtpError) => {
        throw new DeliveryError(describeFailure(error, options.url), error.code !== 'EAUTH', error)
      })
    },
    async send(mail, id) {
      const transporter = await open()
      try {
        await transporter.sendMail({
          // An object, since a string would be split at commas.
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${id}@${options.host}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
      } catch (error) {
        const { responseCode, code } = error as SmtpError
        // 5xx about the message is final. A refused sign-in is ours to fix, so the message waits.
        const final = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
        throw new DeliveryError(describeFailure(error as SmtpError, options.url), !final)
      }
    },
  }
}

type SmtpError = Error & { responseCode?: number; code?: string }

/**
 * Says which server failed and why: `SMTP: ESOCKET at mail.example.com:465, connect ECONNREFUSED 192.0.2.1:465`. Without the
 * text of an answer, which may name a recipient.
 */
function describeFailure({ code, responseCode, message }: SmtpError, url: string): string {
  const { hostname, port, protocol } = new URL(url)
  const where = `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
  const why = responseCode === undefined ? `, ${message.slice(0, 120)}` : ''
  return `SMTP: ${[code ?? 'error', responseCode].filter(Boolean).join(' ')} at ${where}${why}`
}
