import type Router from '@koa/router'
import type { Config } from '#server/config.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Statement } from '#server/infra/db/statement.ts'
import type { Html } from '#server/infra/html.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { ConnectionHooks, Services } from '#server/services.ts'

/** Work beside the jobs, until it is stopped. */
export interface Worker {
  stop(graceMs?: number): Promise<void>
}

/** Values by which rows expire: seconds of sessions, days of finished work, and the most rows of one statement. */
export type PurgeValues = Record<'idle' | 'absolute' | 'import_days' | 'work_days' | 'history_days' | 'limit', number>

/** Everything that a room of the server adds to the whole. server/rooms.ts lists the rooms. */
export interface Room {
  /** Its tables, by the place of their rows (placements.ts). */
  tables?: Partial<Record<'user' | 'reference' | 'local', readonly string[]>>
  /** Columns by which its work waits, of each table (watch-clock.ts). */
  clockColumns?: Readonly<Record<string, readonly string[]>>
  encrypted?: readonly EncryptedColumn[]
  /** Statements that remove expired rows, or forget a part of them. */
  purges?: readonly ((values: PurgeValues) => Statement<unknown>)[]
  /** Answers of endpoints of the contract. */
  routes?: (services: Services) => object
  /** Mounts paths that the contract does not have. */
  mount?: (router: Router, services: Services) => void
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
  jobs?: (services: Services) => readonly JobKind<any>[]
  /** Work that is claimed from tables under a lease, or comes in on a port of its own; null where it is switched off. */
  workers?: readonly ((services: Services) => Worker | null | Promise<Worker | null>)[]
  hooks?: Partial<ConnectionHooks>
  /** Ports that a process opens for it. */
  ports?: (config: Config) => { setting: keyof Config; port: number; host: string }[]
  /** Settings that do nothing without one of the others. */
  dependent?: (config: Config) => readonly DependentSetting[]
  /** Metrics that all processes share. `read` returns null while there is nothing to measure. */
  gauges?: readonly { name: string; help: string; read: (queries: Queries) => Promise<number | null> }[]
  /** Its part of the sandbox's page. */
  sandboxPart?: (services: Services) => Promise<Html>
}

/** A setting, and those of which it needs one. */
export type DependentSetting = readonly [keyof Config, ...(keyof Config)[]]
