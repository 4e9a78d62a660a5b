import { createResolveTexts } from '#server/infra/name-server.ts'
import { type ExaminedMail, type ExamineTask, examineMail } from './examine-mail.ts'

/** Runs on a thread of the pool: reads a mail and verifies its signature. */
export default function run({ raw, at, dns }: ExamineTask): Promise<ExaminedMail | null> {
  return examineMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), at, createResolveTexts(dns))
}
