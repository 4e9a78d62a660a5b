import type { Services } from '#server/services.ts'

/** The services and the operator's options, for one command. */
export interface AdminContext {
  services: Services
  options: AdminOptions
  /** Writes to standard output, for commands whose answer is too long for memory. */
  write: (text: string) => unknown
  /** Throws `warning` with the advice to add --yes, unless the operator has confirmed. */
  confirm: (warning: string) => void
}

/** The options of all commands; each uses some. */
export interface AdminOptions {
  email?: string
  phone?: string
  id?: string
  queue?: string
  state?: string
  until?: string
}

/** The result of a command, as data for `--json` and in words. */
export interface Answer {
  json: unknown
  words: string
  /** The changed thing, for the list of operators' actions: `user 12`, `ebay`, a job's id. Absent if nothing was. */
  changed?: string
}

/** One command, such as `user find`. Errors say in words what to do. */
export interface AdminCommand {
  name: string
  /** Arguments and what the command does, for the help. */
  usage: [args: string, does: string]
  /** A single word after the name: the platform or the job. */
  takes?: string
  /** Returns the answer; null if the command has written it. */
  run(context: AdminContext, subject: string): Promise<Answer | null>
}
