import { requestPatience } from '#server/infra/db/index.ts'

/*
 * Loaded before a server that tests run in a process of its own: its requests bear a machine that is so busy that theirs
 * would be turned away for that alone (faults F10 has tests of its own).
 */
Object.assign(requestPatience, {
  connectionMs: 60_000,
  statementMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 60_000,
})
