import type { ResolveTexts } from '#server/infra/name-server.ts'
import { createOwnThread, TooLongError } from '#server/infra/own-thread.ts'
import { gmailDomain, gmailSender } from '../deciding/classify-mail.ts'
import { marketplaceOf } from '../reading/marketplaces.ts'
import { MalformedMailError, type ParsedMail, parseMail } from '../reading/parse-mail.ts'
import { type Verified, verifySignature } from './verify-signature.ts'

/** A mail as it was read. `verified`: whether the sender that it names has signed it; null where no signature counts. */
export interface ExaminedMail {
  mail: ParsedMail
  verified: Verified | null
}

export interface ExamineTask {
  raw: Uint8Array
  /** Arrival. */
  at: Date
  /** The name server (SALE_MAIL_DNS). */
  dns: string | undefined
}

/** Reads a mail and verifies its signature. Returns null for a mail that cannot be read, or would cost too much. */
export async function examineMail(raw: Buffer, at: Date, resolve: ResolveTexts): Promise<ExaminedMail | null> {
  try {
    const mail = await parseMail(raw)
    const [address = '', ...more] = mail.from
    const own = address === gmailSender ? [gmailDomain] : marketplaceOf(address)?.domains
    const domains = more.length === 0 ? own : undefined
    return { mail, verified: domains === undefined ? null : await verifySignature(raw, { domains, at }, resolve) }
  } catch (error) {
    if (error instanceof MalformedMailError) return null
    throw error
  }
}

/** Mails that are decided at once in a process, each on a thread of its own. */
export const mailsAtOnce = 4
/** Longest time of a mail, in ms. A name server that is silent takes six seconds of it. */
const timeoutMs = 20_000

const examine = createOwnThread<ExamineTask, ExaminedMail | null>({
  worker: new URL('./examine-worker.ts', import.meta.url),
  ...{ timeoutMs, threads: mailsAtOnce, maxWaiting: 100, heapMb: 128, isLowPriority: false, idleMs: 3_600_000 },
})

/**
 * Examines a mail outside of the main thread. Returns null also for one that takes too much memory, and `late` where the
 * time was not enough: the machine may be busy, so it is tried again.
 */
export const examineOnThread = (task: ExamineTask): Promise<ExaminedMail | null | 'late'> =>
  examine(task).catch((error: unknown) => {
    if (error instanceof TooLongError) return 'late'
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return null
    throw error
  })
