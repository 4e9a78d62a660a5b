import { createTransport } from 'nodemailer'
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
  const transporter = createTransport(
    {
      url: options.url,
      requireTLS: options.requireTls,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  )
  return {
    close: () => transporter.close(),
    async verify() {
      await transporter.verify().catch((error: unknown) => {
        const { responseCode, code } = error as { responseCode?: number; code?: string }
        throw new DeliveryError(`SMTP: ${code ?? 'error'} ${responseCode ?? ''}`.trim(), code !== 'EAUTH', error)
      })
    },
    async send(mail, id) {
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
        const { responseCode, code } = error as { responseCode?: number; code?: string }
        // 5xx about the message is final. A refused sign-in is ours to fix, so the message waits.
        const final = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
        throw new DeliveryError(`SMTP: ${code ?? 'error'} ${responseCode ?? ''}`.trim(), !final)
      }
    },
  }
}
